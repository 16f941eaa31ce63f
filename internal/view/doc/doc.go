// Package doc holds what the documents of every kind of run have in common: a run's row and header, facts, columns of
// numbers, the error that stands in a document's place, and how their texts are bounded.
package doc

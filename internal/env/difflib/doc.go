// Package difflib computes what Python's difflib.SequenceMatcher(None, a, b).ratio() computes, to the last bit, and
// what Python's str.lower() returns.
//
// The reference environment scores reports with these two, so its rewards can only be reproduced by something that
// agrees with them everywhere: in the tie-breaking of the longest match, in the heuristic that ignores popular
// characters of long texts, and in the letters whose lower case depends on their neighbours.
//
// Invariant: a text is its code points. Bytes that are no UTF-8 count as one U+FFFD each, as Python's "replace" decoder
// gives for most of them. Character properties are those of the Go release's Unicode tables; Python releases differ from
// each other in the same way, in letters that were added later.
//
// It is not a diff: it answers how similar two texts are and nothing else.
package difflib

// Package claim takes checkable claims out of what a model wrote about a codebase, and checks each against the code: a
// file that is named, a line, a name that is said to be defined, unused or missing, a number of files, a pinned version,
// a setting. [Extract] reads text, [Base.Check] looks at the snapshot; neither asks a model.
//
// The invariant: a claim is only Contradicted when the codebase shows it to be wrong, and wherever that can be shown by
// a line, the Proof quotes it as it stands there. Whatever is open to a second reading is NotCheckable. Precision comes
// before recall: most sentences of a review hold nothing that this package can check.
//
// It does not judge whether a finding is true. A text can be right in every checkable word and wrong in what it
// concludes. Whose a name is, package graph says, by scopes and imports.
package claim

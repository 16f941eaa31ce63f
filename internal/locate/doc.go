// Package locate ranks the files and functions of a codebase by how likely a text (an issue, a question, a stack trace)
// asks for a change there. No model is asked.
//
//	locate.go   Ranking, Index.Locate and Index.Search
//	index.go    New: every source file as bags of words, and its places: functions, classes, what stands outside of them
//	words.go    how texts are cut into words; text.go tells code, comments and strings apart
//	query.go    the text that is asked for, taken apart: words, names, paths, frames, messages
//	signals.go  the evidence: a row of signals for each file and function
//	bm25.go     words; names.go what is called by name; phrase.go messages; quoted.go lines of code
//	walk.go     the code graph; past.go the history
//	weights.go  what each signal is worth; fit.go finds that, package fit is the command
//
// The same codebase, history and text give the same ranking. Texts, repositories and commit messages are hostile: what is taken
// out of them is bounded, and a path that a text names is only ever compared with those of the codebase.
package locate

// Package change compares two states of a codebase: which lines a change touched, what of the unchanged code has to do with it,
// and which findings of a review of both states it brought in or mended.
//
//	change.go   which files, from two snapshots; what was renamed
//	lines.go    which lines of a file, and where a line stood before
//	touched.go  the code around: who uses what changed, and what the changed lines use
//	text.go     the change as its readers see it
//	judge.go    new, pre-existing or fixed
//
// Whatever is said of a change follows from the two snapshots: nothing is asked of git.
package change

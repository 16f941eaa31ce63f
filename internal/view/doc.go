// Package view answers questions about one run directory: documents, each with a path of its own, that the web page
// shows. The header says what the run is and how it went; the other documents are what a [Run.Get] of their path gives:
// a trace and its turns, a codebase, findings, an eval's rollouts. The same documents are served over HTTP and laid into
// report.html (see [Run.Archive]). Each kind of run has a package below this one; they stand on doc, dir and cursor only, and
// on traces where the run has some.
//
// Invariants: nothing in the directory is changed, and no run at work in it is disturbed; nothing outside the directory is
// read, whatever links lie in it, but the files of the codebase that a review looked at, and those are only handed on
// where they are still, by their hashes, what was reviewed; every file, line and list that is read is bounded. What is
// damaged is a [doc.Error] or a document's problem, never a panic, and what is whole is still shown.
//
// The package renders nothing and escapes nothing: texts are handed on as they stand in the files, and escaped where they
// are shown.
package view

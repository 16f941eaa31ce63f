// Package rescore runs the tests on results that others have stored, and compares the outcome with what was reported.
//
// [Check] finds out whether files fit a dataset before anything is run; [Run] judges every stored sample as it is.
// Nothing is rescued: a completion is put behind the task's prompt unchanged, a whole program is taken as it is, since the
// question is what those completions score and not what could be made of them. Only the samples of our own runs, which
// say how they were asked for, are read the way that they were read then.
//
// Beside the verdict each program is also run without its tests. Where that is what a file's verdicts agree with, the
// harness that wrote it never called the tests, and [FileReport] says so.
//
// The invariants: nothing is judged before the gate has passed; a sample without a text, or one that the sandbox failed
// on, has no verdict and is never counted as failed; the same program is judged once, because its verdict is always the
// same.
package rescore

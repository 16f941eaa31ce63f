// Package compare says what changed between models on the same tasks: passes, complete lists of tasks won and lost, exact
// tests, intervals, what difference could have been seen at all, and the trend over a size such as the number of training
// pairs.
//
// [Conditions] are read from result files; [Run] compares the verdicts that they hold, recorded ones or those of a
// rescoring. [Reference] is the reference RLVF experiment: its six files, its published table and what that table got
// wrong.
//
// The invariants: every figure is computed from counts, never from a figure that was rounded for print; no list is cut;
// tasks without a verdict on either side are left out of a comparison by name, and are never counted as failed; the same
// files give the same bits.
//
// The package runs no program: judging again is package rescore's.
package compare

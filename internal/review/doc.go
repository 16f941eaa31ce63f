// Package review is the main job: one codebase in, one report out. [Analyze] runs the recursion over a repository,
// [Baseline] asks one model once, [Resume] continues an interrupted run, and [Plan] says what would happen and what
// it would cost before anything is spent.
//
// A run owns a directory. Everything paid for is in its trace.jsonl before it is used; run.json says what the run was
// asked to do, so that resuming needs only the directory; the reports are written at the end of every run, also
// of one that was interrupted, failed, or ran out of money.
//
// What a review needs models, a sandbox and the code graph for is [Perform]'s, which may run on another machine
// ([Env].Elsewhere): it is given plain data, a snapshot of the code and a journal. What needs the codebase's directory, git or
// the run's directory stays here.
//
// The package decides nothing about strategy (rlm does) or truth (finding does); it puts the parts together.
package review

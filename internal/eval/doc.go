// Package eval plays examples × rollouts of a policy in an environment and reports the rewards with their uncertainty.
//
// [Run] begins an eval, [Resume] continues one, [CompareSaved] compares several. An eval owns a directory:
//
//	run.json       what was asked for: resuming needs nothing else
//	results.jsonl  one row a rollout, in the form of verifiers' saved results
//	metadata.json  the same for the whole eval
//	traces.jsonl   one line a rollout with all of its events
//	summary.json   means with their intervals, per task and per metric
//	rollouts/      journals of rollouts in progress, or to be played again
//
// Start at run.go. A finished rollout is appended to traces.jsonl and then to results.jsonl, and only then is its
// journal removed; when the eval ends, both files are put in order. So a kill at any point loses nothing: a rollout
// with a row is done, one with a journal continues from it.
//
// Invariants: a rollout that ended in an error has a row that says so and takes part in no mean; a price that is not
// known makes a sum unknown; the same options and seed give the same rows but for the times in them. Memory holds a few
// hundred bytes a rollout, never its texts.
//
// The package makes no tasks and scores nothing: environments do (package env). It knows no command line.
package eval

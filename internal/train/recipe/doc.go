// Package recipe is a training from its beginning to its end: first lessons if there is no model to begin with, the
// base measured on held-out tasks, the training itself, the trained policy measured on the same tasks with the same luck,
// and a summary.
//
//	options.go   what a command asks for, and the two recipes
//	plan.go      the same, written down
//	run.go       the parts, one after the other
//	preferences.go   a training by preferences, or several with more and more pairs
//	measure.go   an evaluation before or after
//	finish.go    what is compared and written at the end
//	taught.go    what of it stands in the demonstrations
//	export.go    a trained policy for other tools
//
// A recipe's directory is that of its training, with what comes before and after beside it:
//
//	plan.json    what was asked for: continuing needs nothing else
//	sft/         the directory of the first lessons, where there were any
//	base/        the model before the training
//	before/      an eval's directory
//	run.json, metrics.jsonl, checkpoint.safetensors, adapter/   see package train
//	after/       an eval's directory
//	pairs/, pairs-N/   of preferences: the pairs with the rollouts they are made of, and the smaller trainings of a ladder
//	summary.json, report.html   the result, see package report
//
// Invariant: each part continues by itself where it was interrupted, and gives the same result as without the
// interruption.
package recipe

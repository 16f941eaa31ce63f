// Package bench puts several configurations of root, worker and strategy on the same codebases, side by side.
//
// Start with [Parse], which reads what is to be compared, and [Run]. Every run is an ordinary review (package review)
// in its own directory, so that trace, report and resume are those of `deeprepo analyze`; what bench adds is the order
// of the runs, one budget for all of them, the matching of findings with the truth, and the tables.
//
//	spec.go       the TOML file
//	codebase.go   codebases and their truth, read or generated
//	manifest.go   what a bench leaves in its directory, beside its runs
//	run.go        a bench begins, is resumed, and ends
//	play.go       its runs, one after the other, or several at once on other machines
//	simulated.go  simulated workers, here and there
//	measure.go    what one run left, in figures
//	rows.go       a configuration's figures over all its runs
//	changes.go    what reviews of changes found
//	unique.go     what only one configuration found
//	grade.go      the quality grade and its rule
//	gap.go        the behaviour gap against the target
//	economics.go  what ten times the calls would cost
//	paired.go     which differences can be told from luck
//	table.go      tables as text, Markdown and HTML
//	chart.go      charts as SVG
//
// Invariant: a figure that is not known (a price, a run that did not come to its end) is nil or "?" and never 0, and a
// run that failed takes nothing from the others. What a review reads never holds the truth.
//
// The package opens no models and knows no command line.
package bench

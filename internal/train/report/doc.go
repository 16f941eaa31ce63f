// Package report measures the effect of a training: the policy before and after, on tasks that were held out, and how
// it went step by step.
//
//	summary.go   summary.json
//	measure.go   what an evaluation's directory says about it: cells, and the test of after against before
//	caveats.go   what must be known before the numbers are believed
//	table.go     the tables, in the reference's rows
//	joint.go     several trainings together: over seeds, and training against size
//	ladder.go    trainings on more and more preference pairs, and the gate
//	curves.go    what is drawn
//	html.go      report.html
//
// Invariant: a table always has its caveats, and a mean always says what it is a mean of.
//
// It trains nothing and plays nothing.
package report

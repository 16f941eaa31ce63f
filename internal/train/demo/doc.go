// Package demo makes demonstrations: rollouts of scripted policies in the real environment, in the style in which a
// policy of a million parameters writes. They are of deliberately mixed quality. Some finish at once, some explore
// aimlessly, some ask one file at a time, some write Python that does not parse and then repeat it, some do everything
// right: a model that has imitated them starts with the faults that large untrained models show, and with everything
// that it takes to lose them.
//
//	style.go    how a policy words things: a handful of variants
//	cells.go    the cells that plans consist of
//	kinds.go    the plans, a kind of policy each, and how often it is played
//	broken.go   how Python is written wrongly
//	script.go   a plan in play: what was seen, and what is written next
//	collect.go  many of them, in the environment
//
// Invariant: a cell knows what its view shows and what the names of the REPL give, nothing of the task: no path stands in
// one but by chance. What a script writes depends on its seed and the views alone.
package demo

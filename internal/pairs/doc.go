// Package pairs makes preference pairs out of verified programs, and says what any pair file is worth.
//
// A pair is a prompt, a chosen answer and a rejected one. [Read] takes the usual forms of them; [Audit] runs every
// program again, and measures what a model could learn from the pairs besides programming: lengths, fences, layout,
// words of evaluation sets, the same thing twice. [Build] goes the other way, from samples, mutants and programs known to
// be wrong to train and held-out files, through filters that are all named and counted.
//
// Invariants: a label is what running the tests said, never what a file or a model says; what was not examined is null,
// never 0; whole tasks are held out, never pairs; the same inputs, options and seed give the same files byte for byte.
// What Build writes has been run again after the last filter.
//
// Subpackages stand alone: similar compares texts, mutate makes wrong programs, export writes what trainers read. Start at
// audit.go or build.go. The package generates nothing by itself, prints nothing and trains nothing.
package pairs

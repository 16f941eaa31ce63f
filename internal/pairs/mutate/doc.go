// Package mutate makes wrong programs out of right ones, by one small change at a node of the syntax tree: a comparison
// that includes its bound, an operator that is another one, a branch that is gone.
//
// It is where rejected programs come from that differ from the chosen one only in the mistake: same author, same
// layout, same comments, so that only reading the program tells them apart.
//
// Invariants: a mutant differs from its program in exactly one place, and never in a comment, a docstring or a text
// that stands for itself; it keeps the entry point's name; the same program and seed give the same mutants in the same
// order. Start at mutate.go; the operators are in operators.go.
//
// Whether a mutant is wrong is not known here: some compute the same. Callers must run it.
package mutate

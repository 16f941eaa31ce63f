// Package golang holds the operators that plant defects and decoys into Go programs: one operator a file, each with
// samples of where it applies and of what it must leave alone.
//
// Every operator rewrites syntax trees: it finds nodes by kind and shape, proves what it needs from the declarations it
// can see, and keeps out where it cannot prove it. A program that type-checked still does after a plant.
//
// It is not a type checker. Types are the ones written down in signatures, fields and var declarations; a local whose
// type has to be inferred is left alone.
package golang

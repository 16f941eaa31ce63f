// Package extract finds the program in what a model replied.
//
// A reply is code, code with prose around it, a continuation of the prompt, several fenced blocks, thinking and then one
// of these, or nothing at all. [Extractor.Extract] climbs down a ladder of ways to read it and says which rung held, and
// what was taken off on the way: a score is only as good as this step, and what it did must be seen in the results.
//
// Invariants: a reply that is, as it stands, a program with the entry point is returned as it stands, but for its own
// tests at the top level; the inside of a function is never changed; the same reply gives the same program; what
// the program would get as a verdict plays no part. The work is linear in the reply, but for a bounded number of parses.
//
// The package runs nothing, and repairs nothing: code that is wrong stays wrong. (A wrong name can be tried apart from
// all this: [Extractor.Alias].)
package extract

// Package rule holds what a static rule is made of: the rule's description with its samples, the pass over one parsed
// file in which it runs, and query aids over syntax trees that hide how languages spell calls, strings and assignments.
//
// Invariant: a match quotes text that stands in the file at the match's lines, byte for byte.
//
// It knows no particular rule and reads no file but descriptions of rules; package rules holds the sets and runs them.
package rule

// Package rules runs static rules over source files: Set parses a file once and runs every rule of its language over
// the tree, Worker answers review prompts with what the rules found, as a language model would.
//
// Invariant: every match quotes text that stands in the file at the match's lines, and no file, however hostile, ends
// more than the rule it upset.
//
// It is not a type checker, it follows nothing from one file into another, and it knows nothing of suppression
// comments: the report deals with those.
package rules

// Package rlm is the recursion: a root model that sees only the file tree writes Python, the Python runs in a sandbox,
// and what it hands to llm_query and llm_batch goes to cheap workers (Zhang et al., "Recursive Language Models",
// arXiv:2512.24601).
//
// Start at [Run] in loop.go, which reads top to bottom; everything it needs is handed to it in a [Config]. Around it:
//
//	extract.go   which parts of a reply are cells
//	cells.go     running them, and what the root sees of it
//	variables.go what they did to the REPL's names, for readers of the trace
//	transcript.go  the conversation as it grows
//	surface.go   the names a cell sees (repl.py) and the host calls behind them
//	dispatch.go  prompts to workers: redaction, coverage, journal, harvest of findings
//	child.go     rlm_query: a loop inside the loop
//	journal.go   every call and cell is in the trace before its result is used; resume replays it
//	gate.go      an answer that comes too early is held back
//	advice.go    repeated errors, and what to do about known ones
//	compact.go   long transcripts
//	prompt.go    the root's and the workers' instructions
//
// Invariants: a paid reply is on disk before anything depends on it; given the same journal a run makes the same calls
// under the same keys; no dispatch is lost from a batch, whatever happens to it.
//
// The package does not load repositories, choose models or write reports: package review does.
package rlm

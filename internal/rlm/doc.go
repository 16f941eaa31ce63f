// Package rlm is the recursion: a root model that sees only the file tree writes Python, the Python runs in a sandbox,
// and what it hands to llm_query and llm_batch goes to cheap workers (Zhang et al., "Recursive Language Models",
// arXiv:2512.24601).
//
// Start at [Run] in loop.go, which reads top to bottom; everything it needs is handed to it in a [Config]. A file uses
// only those that stand below it in this list:
//
//	single.go    one call without a loop: what the recursion is compared with; single_prompt.go: what it is sent
//	ask.go       questions to workers that no cell asked
//	loop.go      the loop
//	synthesis.go the report of a root whose money is spent
//	surface.go   the names a cell sees (repl.py) and the host calls behind them; looking.go, knowing.go, packing.go
//	             (with sections.go) and judging.go hold one kind of them each; hostcall.go: how a cell's call is taken
//	child.go     rlm_query: a loop inside the loop
//	harvest.go   what a run found, gathered into its result
//	gate.go      an answer that comes too early is held back
//	cells.go     running cells, and what the root sees of it; variables.go: what they did to the REPL's names
//	root.go      the root is asked
//	dispatch.go  prompts to workers: redaction, coverage, journal, harvest of findings
//	replay.go    what the journal holds is booked again
//	compact.go   long conversations are folded
//	prompt.go    what roots are told
//	node.go      one loop's state; run.go: what all the loops of a run share
//	journal.go   every call and cell is in the trace before its result is used; memo.go: nothing is asked twice
//	transcript.go  the conversation as it grows; extract.go: which parts of a reply are cells
//	budget.go    pools of money; usage.go: what calls cost; result.go: what a run yields
//	advice.go    repeated errors, and what to do about known ones
//	config.go, preset.go, metadata.go, key.go, parallel.go, shorten.go  small parts that all may use
//
// Invariants: a paid reply is on disk before anything depends on it; given the same journal a run makes the same calls
// under the same keys; no dispatch is lost from a batch, whatever happens to it.
//
// The package does not load repositories, choose models or write reports: package review does.
package rlm

package rlm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// node is one loop: the root's, or that of a child.
type node struct {
	run      *run
	id       string // key of the call that began it; "" for the root
	task     string
	handle   llm.Handle
	pool     *llm.Budget // nil when there is no cap
	maxTurns int

	turn, cell, batch int
	heard             int // the last turn of which the trace has a reply, or what a failed one cost
	number            int // of the cell among all of the loop, as the root is told it
	calls             int // noted calls of the cell
	rests             rests
	reread            []int // cells whose rests the cell prints
	dispatches        int   // asked for by this loop and its children
	holds, heldIn     int   // answers held back, and the turn of the last of them
	conversation
	errors   repeats
	answer   string
	settled  map[string]bool // keys whose journaled root calls are on the bill
	accepted bool
}

// setup is what a session's prelude is given.
func (n *node) setup() ([]byte, error) {
	var given any
	if n.id != "" {
		given = n.task
	}
	data, err := json.Marshal(map[string]any{
		"paths": n.run.cfg.Codebase.Paths(), "file_tree": n.run.fileTree, "metadata": n.run.metadata,
		"task": n.task, "context": given,
	})
	if err != nil {
		return nil, fmt.Errorf("rlm: encode the session's variables: %w", err)
	}
	return data, nil
}

// graph is the codebase's code graph, which is built when it is first asked for.
func (n *node) graph(ctx context.Context) (*graph.Graph, error) {
	if n.run.cfg.Graph == nil {
		return nil, errors.New("there is no code graph in this run: use grep")
	}
	n.progress("building the code graph")
	g, err := n.run.cfg.Graph(ctx)
	if err != nil {
		return nil, fmt.Errorf("the code graph could not be built: %w", err)
	}
	n.progress("running cell")
	return g, nil
}

// progress tells the observer where the run stands.
func (n *node) progress(doing string) {
	r := n.run
	r.mu.Lock()
	p := Progress{
		Node: n.id, Turn: n.turn, MaxTurns: n.maxTurns, Doing: doing, Dispatches: r.metrics.Dispatches, DispatchesTotal: r.asked,
		Failed: r.metrics.DispatchErrors, Spent: total(r.root, r.worker),
	}
	r.mu.Unlock()
	p.Coverage = r.ledger.Fraction()
	r.cfg.Observe(p)
}

// window is how many tokens of the conversation the root can see; 0 where that is not known, or does not bound it.
func (n *node) window() int {
	if n.handle.Digests {
		return 0
	}
	return n.handle.Context
}

// tokensLeft is what the root's context window still holds; false where its size is not known.
func (n *node) tokensLeft() (int, bool) {
	return max(0, n.window()-int(llm.EstimateTokens(n.chars()))), n.window() > 0
}

// redacted is a text as the root may see it.
func (n *node) redacted(text string) string {
	if n.handle.Local || n.run.cfg.Redact == nil {
		return text
	}
	text, _ = n.run.cfg.Redact.Redact(text)
	return text
}

// recordOnce appends an event that cost nothing, unless an earlier execution did.
func (n *node) recordOnce(e trace.Event) error {
	if _, known := n.run.journal.lookup(e.Key, e.Kind); known {
		return nil
	}
	return n.run.record(e, false)
}

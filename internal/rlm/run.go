package rlm

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// run is what all the loops of one run share.
type run struct {
	cfg      Config
	journal  *journal
	ledger   *coverage.Ledger
	metadata metadata
	fileTree string
	system   string        // the system prompt of the run's root
	slots    chan struct{} // one for every dispatch that may be in progress
	memo     memo

	mu      sync.Mutex
	metrics Metrics
	root    RoleUsage
	worker  RoleUsage
	asked   int // dispatches asked for, done or not
	harvest map[string]harvested
	lastErr string // of the last failed dispatch
	broken  error  // the journal cannot be written: nothing may be asked or paid for any more
}

// harvested is what one dispatch, or one add_finding, yielded.
type harvested struct{ grounded, ungrounded []finding.Finding }

// node is one loop: the root's, or that of a child.
type node struct {
	run      *run
	id       string // key of the call that began it; "" for the root
	task     string
	handle   llm.Handle
	pool     *llm.Budget // nil when there is no cap
	maxTurns int

	turn, cell, batch int
	dispatches        int // asked for by this loop and its children
	holds, heldIn     int // answers held back, and the turn of the last of them
	messages          []llm.Message
	untold            *llm.Response // the last reply, when it does not stand in messages yet
	first             string        // the opening message, before any digest
	folded            int           // turns already folded into a digest
	digests           []turnDigest
	errors            repeats
	answer            string
	settled           map[string]bool // keys whose journaled root calls are on the bill
	accepted          bool
}

// metadata is the variable of that name.
type metadata struct {
	TotalFiles     int            `json:"total_files"`
	TotalChars     int            `json:"total_chars"`
	TotalLines     int            `json:"total_lines"`
	FileTypes      map[string]int `json:"file_types"` // lines by language
	LargestFiles   []FileSize     `json:"largest_files"`
	EntryPoints    []string       `json:"entry_points"`
	WorkerMaxChars int            `json:"worker_max_chars"`
}

// FileSize is a file with its characters.
type FileSize struct {
	Path  string `json:"path"`
	Chars int    `json:"chars"`
}

func newRun(cfg Config, worker llm.Handle) *run {
	r := &run{
		cfg: cfg, journal: newJournal(cfg.Trace, cfg.Past), ledger: coverage.New(cfg.Codebase),
		slots: make(chan struct{}, cfg.Concurrency), harvest: map[string]harvested{},
	}
	r.memo.recall(cfg.Past)
	stats := cfg.Codebase.Stats()
	r.metadata = metadata{
		TotalFiles: stats.Files, TotalChars: stats.Chars, TotalLines: stats.Lines, FileTypes: stats.Languages,
		LargestFiles: Largest(cfg.Codebase, 15), EntryPoints: cfg.Codebase.EntryPoints(),
		WorkerMaxChars: promptChars(worker, cfg.WorkerTokens),
	}
	r.fileTree = cfg.Codebase.Tree(60_000)
	return r
}

// Largest lists the n largest files, largest first.
func Largest(c *codebase.Codebase, n int) []FileSize {
	var all []FileSize
	for _, path := range c.Paths() {
		if f, ok := c.File(path); ok {
			all = append(all, FileSize{path, f.Bytes})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Chars > all[j].Chars })
	return all[:min(n, len(all))]
}

// PromptChars is promptChars with the default cap on replies: limits on a worker's input.
func PromptChars(h llm.Handle) int { return promptChars(h, defaultWorkerTokens) }

// promptChars is the longest prompt that a worker should be given: what fits its context beside the instructions and
// the reply at three characters a token (code is denser than prose), and never more than 48,000 characters, beyond
// which workers overlook more than they find. A handle whose context is unknown gets 24,000.
func promptChars(h llm.Handle, replyTokens int) int {
	const most, unknown, instructions = 48_000, 24_000, 800
	if h.PromptChars > 0 {
		return h.PromptChars
	}
	if h.Context == 0 {
		return unknown
	}
	return max(1_000, min(most, 3*(h.Context-min(replyTokens, h.Context/4)-instructions)))
}

// replyTokens is the cap on a worker's reply: the configured one, but never over a quarter of a small context.
func (r *run) replyTokens(h llm.Handle) int {
	if h.Context > 0 {
		return min(r.cfg.WorkerTokens, h.Context/4)
	}
	return r.cfg.WorkerTokens
}

// fault notes that the journal cannot be written. The first fault counts.
func (r *run) fault(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken == nil {
		r.broken = err
	}
}

// faulty returns the fault, if any.
func (r *run) faulty() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.broken
}

// count changes the metrics under the lock.
func (r *run) count(change func(*Metrics)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.metrics)
}

// charge books a call that was consumed, live or out of the journal.
func (r *run) charge(role *RoleUsage, u trace.Usage, cached bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	role.add(u, cached)
}

// setup is the input of a session's prelude.
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

// memo keeps the replies of this run by request, so that the same prompt is not paid for twice, in one batch or in a
// later cell. Requests that are in progress are waited for.
type memo struct {
	mu   sync.Mutex
	done map[string]*memoEntry
}

type memoEntry struct {
	ready chan struct{}
	reply trace.Dispatch
}

// recall takes in the replies of earlier executions, so that a prompt whose own entry is missing in the journal finds the
// reply to its equal wherever that stands.
func (m *memo) recall(past []trace.Event) {
	m.done = map[string]*memoEntry{}
	ready := make(chan struct{})
	close(ready)
	for _, e := range past {
		if e.Kind == trace.KindDispatch && e.Hash != "" && e.Dispatch.Error == "" {
			m.done[e.Hash] = &memoEntry{ready: ready, reply: *e.Dispatch}
		}
	}
}

// do returns the reply to a request: the stored one, or what ask returns. Failures are not stored.
func (m *memo) do(ctx context.Context, hash string, ask func() trace.Dispatch) (d trace.Dispatch, shared bool) {
	for {
		m.mu.Lock()
		e, ok := m.done[hash]
		if !ok {
			e = &memoEntry{ready: make(chan struct{})}
			m.done[hash] = e
			m.mu.Unlock()
			e.reply = ask()
			if e.reply.Error != "" {
				m.mu.Lock()
				delete(m.done, hash)
				m.mu.Unlock()
			}
			close(e.ready)
			return e.reply, false
		}
		m.mu.Unlock()
		select {
		case <-e.ready:
		case <-ctx.Done():
			return trace.Dispatch{Error: ctx.Err().Error(), Usage: trace.Usage{CostPico: new(int64)}}, false
		}
		if e.reply.Error == "" {
			d = e.reply
			d.Usage, d.Cached, d.Seconds = trace.Usage{CostPico: new(int64)}, true, 0
			return d, true
		}
	}
}

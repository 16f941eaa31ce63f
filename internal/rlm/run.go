package rlm

import (
	"sync"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/rlm/judgement"
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
	unjudged func(reply string) []string // files that a worker says it could not judge

	locating sync.Mutex
	index    *locate.Index // nil until it is asked for

	mu      sync.Mutex
	metrics Metrics
	root    RoleUsage
	worker  RoleUsage
	// What of the journal's calls the run has come to again.
	rootAgain, workerAgain RoleUsage
	asked                  int // dispatches asked for, done or not
	found                  judgement.Book
	read                   map[string]reading
	rules                  map[string]bool // by name: workers that are static rules
	lastErr                string          // of the last failed dispatch by its key, lastKey: not by its arrival, which no resume repeats
	lastKey                string
	broken                 error // the journal cannot be written: nothing may be asked or paid for any more
}

// reading is what came of one dispatch: short is "" where its reply can be used, else what is wrong with it.
type reading struct {
	short  trace.ShortfallCode
	held   coverage.Prompt
	prompt string // as sent, kept where it held no line of the codebase: its equal may have been answered
	by     string // the worker
	task   string // what it was asked of the files, in short
}

// harvestOf reads a reply to a prompt that held files. What cannot be read holds nothing. Only a reply of static rules,
// which is known by who was asked, may name a rule.
func harvestOf(cfg Config, reply, key string, files []string, rules bool) (c judgement.Claims, parsed finding.Parsed, err error) {
	parse := finding.Parse
	if rules {
		parse = finding.ParseRules
	}
	if parsed, err = parse(reply); err != nil {
		return c, parsed, err
	}
	if rules {
		parsed.Findings = cfg.Preset.rules(parsed.Findings)
	}
	for i := range parsed.Findings {
		parsed.Findings[i].Sources = []string{key}
	}
	c.Grounded, c.Ungrounded = finding.Ground(cfg.Codebase, parsed.Findings, files)
	return c, parsed, nil
}

func newRun(cfg Config, worker llm.Handle) *run {
	r := &run{
		cfg: cfg, journal: newJournal(cfg.Trace, cfg.Past), ledger: coverage.New(cfg.Codebase),
		slots: make(chan struct{}, cfg.Concurrency), read: map[string]reading{}, rules: map[string]bool{worker.Name: worker.Rules},
	}
	r.ledger.SetScope(coverage.Scope{Judges: worker.Judges, Skipped: cfg.Skipped})
	if r.unjudged = worker.Unjudged; r.unjudged == nil {
		r.unjudged = func(string) []string { return nil }
	}
	r.memo.recall(cfg.Past)
	stats := cfg.Codebase.Stats()
	r.metadata = metadata{
		TotalFiles: stats.Files, TotalChars: stats.Chars, TotalLines: stats.Lines, FileTypes: stats.Languages,
		LargestFiles: Largest(cfg.Codebase, 15), EntryPoints: cfg.Codebase.EntryPoints(),
		WorkerMaxChars: promptChars(worker, cfg.WorkerTokens), WorkerRules: worker.Rules,
	}
	r.fileTree = cfg.Codebase.Tree(maxTree)
	return r
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
	if cached {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	role.Add(u)
}

// expect announces dispatches, for the progress view.
func (r *run) expect(count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked += count
}

// record appends an event; what was paid for is on disk when it returns.
func (r *run) record(e trace.Event, paid bool) error {
	if paid {
		return r.journal.w.AppendDurable(e)
	}
	return r.journal.w.Append(e)
}

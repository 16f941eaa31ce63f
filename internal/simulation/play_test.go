package simulation_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// played is one execution of a run and what is known of those before it.
type played struct {
	s       scenario
	dir     string
	code    *codebase.Codebase
	budget  *money.USD
	earlier []charge      // of earlier executions
	past    []trace.Event // what the journal held when this execution began
	book    []charge      // of this execution
	out     review.Outcome
	err     error
	said    []string
	ended   bool // by the context
	cache   *llm.Cache
	cached  []charge // of another run with the same cache
}

// all is every charge of the run.
func (p played) all() []charge { return append(p.earlier[:len(p.earlier):len(p.earlier)], p.book...) }

// play runs a scenario with all its interruptions, below dir, and says what is wrong.
func play(ctx context.Context, s scenario, dir string, logf func(string, ...any)) (wrong []string) {
	repo := filepath.Join(dir, "repo")
	if err := lay(repo, s); err != nil {
		return []string{err.Error()}
	}
	code, err := codebase.Load(ctx, repo, codebase.Options{})
	if err != nil {
		if s.hostile {
			return lacksHint(nil, err)
		}
		return []string{"load: " + err.Error()}
	}
	s.options.Path = repo
	look := func(p played) {
		logf("%s: %v, %+v, %d calls, err %v, %+v", filepath.Base(p.dir), p.out.Report.Run.Status, p.out.Report.Coverage, len(p.book), p.err,
			p.out.Report.Run.Shortfalls)
		for _, c := range p.book {
			logf("  %s %.10s at %d: fault %d, cost %s, usable %v, %.60q -> %.60q", c.role, c.hash, c.began, c.fault, c.cost.Decimal(), c.usable,
				c.prompt, c.text)
		}
		for _, w := range check(p) {
			wrong = append(wrong, filepath.Base(p.dir)+": "+w)
		}
	}
	whole := execute(ctx, played{s: s, dir: filepath.Join(dir, "whole"), code: code, budget: s.options.Budget}, 0)
	look(whole)
	if whole.err != nil && whole.out.Dir == "" {
		return wrong
	}
	last := whole
	for i, b := range s.breaks {
		next, err := interrupt(ctx, last, b, filepath.Join(dir, fmt.Sprintf("break%d", i+1)))
		if err != nil {
			return append(wrong, err.Error())
		}
		look(next)
		wrong = append(wrong, repeated(next)...)
		last = next
	}
	if last.ended {
		last = execute(ctx, last.again(), 0)
		look(last)
		wrong = append(wrong, repeated(last)...)
	}
	if len(s.breaks) > 0 && s.comparable(whole, last) {
		wrong = append(wrong, differs(whole, last)...)
	}
	if s.twice {
		again, err := reviewTwice(ctx, s, code, dir)
		if err != nil {
			return append(wrong, err.Error())
		}
		for _, p := range again {
			look(p)
		}
		wrong = append(wrong, repeatedFromCache(again[1])...)
	}
	return wrong
}

// reviewTwice makes two runs that share a cache of replies.
func reviewTwice(ctx context.Context, s scenario, code *codebase.Codebase, dir string) (runs [2]played, err error) {
	s.options.NoCache = false
	cache, err := llm.OpenCache(llm.CacheConfig{Dir: filepath.Join(dir, "cache")})
	if err != nil {
		return runs, err
	}
	for i, name := range []string{"cold", "warm"} {
		runs[i] = execute(ctx, played{s: s, dir: filepath.Join(dir, name), code: code, budget: s.options.Budget, cache: cache,
			cached: runs[0].book}, 0)
	}
	return runs, nil
}

// lay writes the repository. A hostile name that this file system does not take is not there.
func lay(repo string, s scenario) error {
	for name, text := range s.files {
		file := filepath.Join(repo, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil && !s.hostile {
			return err
		}
	}
	if s.fifo {
		return makeFIFO(filepath.Join(repo, "pipe.py"))
	}
	return nil
}

// execute analyzes or, where there is a journal, resumes. After cancelAt calls the context ends; 0 is never.
func execute(ctx context.Context, p played, cancelAt int) played {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	service := &provider{s: p.s, code: p.code, trace: filepath.Join(p.dir, review.TraceName), asked: map[string]int{}, cancel: cancel,
		at: cancelAt, kills: p.s.kills}
	if !p.s.sticky {
		for _, c := range p.earlier {
			service.asked[c.hash]++ // time has gone on
		}
	}
	registry := llm.NewRegistry(nil)
	registry.RegisterProvider("paid", service)
	var mu sync.Mutex
	say := func(line string) {
		mu.Lock()
		p.said = append(p.said, line)
		mu.Unlock()
	}
	env := review.Env{Registry: registry, Sandbox: engine, Version: "test", Cache: p.cache, Retry: retry, Syntax: runtest.OpenParser, Say: say}
	if len(p.past) == 0 && len(p.earlier) == 0 {
		o := p.s.options
		o.Out = p.dir
		p.out, p.err = review.Analyze(ctx, o, env)
	} else {
		p.out, p.err = review.Resume(ctx, p.dir, review.Changes{Budget: p.budget}, env)
	}
	p.ended = ctx.Err() != nil
	service.mu.Lock()
	p.book = service.book
	service.mu.Unlock()
	return p
}

// again is the execution after p in the same directory.
func (p played) again() played {
	data, err := os.ReadFile(filepath.Join(p.dir, review.TraceName))
	if err != nil {
		panic(err)
	}
	p.earlier, p.book = p.all(), nil
	p.past, _, _ = trace.Read(bytes.NewReader(data))
	return p
}

// interrupt makes of p a run that was killed or stopped somewhere within its execution, in a new directory, and resumes it.
func interrupt(ctx context.Context, p played, b breakage, dir string) (played, error) {
	journal, err := os.ReadFile(filepath.Join(p.dir, review.TraceName))
	if err != nil {
		return p, err
	}
	manifest, err := os.ReadFile(filepath.Join(p.dir, review.ManifestName))
	if err != nil {
		return p, err
	}
	lines := bytes.SplitAfter(journal, []byte("\n"))
	lines = lines[:len(lines)-1] // behind the last line break is nothing
	from := len(p.past)
	keep := from + int(b.cut*float64(len(lines)-from))
	if keep == 0 && len(lines) > 0 {
		keep = 1
	}
	part := bytes.Join(lines[:keep], nil)
	size := int64(len(part))
	past, _, err := trace.Read(bytes.NewReader(part))
	if err != nil {
		return p, fmt.Errorf("the journal cannot be read: %w", err)
	}
	if b.torn && keep < len(lines) {
		part = append(part, lines[keep][:len(lines[keep])/2]...)
	}
	next := played{s: p.s, dir: dir, code: p.code, budget: p.budget, past: past, earlier: p.earlier}
	for _, c := range p.book { // what came in later never happened
		if c.began <= size {
			next.earlier = append(next.earlier[:len(next.earlier):len(next.earlier)], c)
		}
	}
	if next.earlier == nil {
		next.earlier = []charge{}
	}
	if b.more && p.budget != nil && *p.budget < money.MaxUSD/10 {
		next.budget = new(10 * *p.budget)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, review.TraceName), part, 0o644),
		os.WriteFile(filepath.Join(dir, review.ManifestName), manifest, 0o644)); err != nil {
		return p, err
	}
	return execute(ctx, next, b.cancel), nil
}

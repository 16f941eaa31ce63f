package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"golang.org/x/sync/errgroup"
)

// job is one run that is to be done.
type job struct {
	config, codebase, repeat int // repeat from 0
	dir                      string
}

// jobs lists the runs: all configurations on one codebase after the other, so that a bench that ends early has complete
// comparisons; repeats last.
func jobs(m Manifest) []job {
	var all []job
	for r := range m.Spec.Repeats {
		for b, base := range m.Codebases {
			for c, config := range m.Spec.Configs {
				dir := filepath.Join(place(runsName, b, base.Name), place("", c, config.Name))
				if m.Spec.Repeats > 1 {
					dir += fmt.Sprintf("-r%d", r+1)
				}
				all = append(all, job{c, b, r, dir})
			}
		}
	}
	return all
}

// player plays a bench's runs.
type player struct {
	dir      *rundir.Dir
	m        Manifest
	subjects []*subject
	runs     []*Review
	shares   *review.Shares
	e        Env

	mu    sync.Mutex
	fault error // of the machine: nothing more begins
	broke bool  // the money did not do
}

// play does what is not done, measures everything, and writes the tables.
func play(ctx context.Context, dir *rundir.Dir, m Manifest, subjects []*subject, e Env) (Outcome, error) {
	defer e.Opened(dir)()
	registerSim(e.Registry, subjects)
	p := &player{dir: dir, m: m, subjects: subjects, e: e}
	for _, j := range jobs(m) {
		run := &Review{BenchReview: runfile.BenchReview{Config: m.Spec.Configs[j.config].Name, Codebase: subjects[j.codebase].Name,
			Repeat: j.repeat + 1, Dir: j.dir}, job: j}
		p.measure(run)
		p.runs = append(p.runs, run)
		if e.Elsewhere == nil {
			if err := dir.RefuseAway(j.dir); err != nil {
				return Outcome{}, err
			}
		}
	}
	var err error
	if p.shares, err = shares(dir, m, p.runs, e.AtOnce > 1); err != nil {
		return Outcome{Dir: dir.Path()}, err
	}
	var all errgroup.Group
	all.SetLimit(e.AtOnce)
	for i, run := range p.runs {
		if run.State != StateDone {
			all.Go(func() error {
				p.play(ctx, i)
				return nil
			})
		}
	}
	_ = all.Wait() // none gives an error
	return conclude(ctx, dir, m, subjects, p.runs, p.fault, p.broke, e)
}

// shares divides a bench's budget among its runs.
func shares(dir *rundir.Dir, m Manifest, runs []*Review, shared bool) (*review.Shares, error) {
	var most *money.USD
	if b := m.Spec.Budget; b != nil {
		usd, err := money.ParseUSD(strconv.FormatFloat(*b, 'f', -1, 64))
		if err != nil {
			return nil, fmt.Errorf("budget: %w", err)
		}
		most = &usd
	}
	var dirs []string
	for _, run := range runs {
		dirs = append(dirs, run.Dir)
	}
	return review.Divide(dir, dirs, func(i int) bool { return runs[i].State == StateDone }, most, shared)
}

// play does the i-th run, if there is money for it.
func (p *player) play(ctx context.Context, i int) {
	run := p.runs[i]
	left, enough := p.shares.Begin(i)
	if !p.goesOn(ctx, enough) {
		p.shares.Leave()
		return
	}
	at := Progress{Run: i + 1, Total: len(p.runs), Config: run.Config, Codebase: run.Codebase}
	p.e.Observe(at)
	out, err := run.job.do(ctx, p.dir, p.m, p.subjects[run.job.codebase], left, p.e, func(r rlm.Progress) {
		now := at
		now.Review = r
		p.e.Observe(now)
	})
	p.measure(run)
	if run.State != StateDone {
		run.fail(out, err)
	}
	fault := p.shares.Settle(i, out.Dir != "")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broke = p.broke || run.State != StateDone && run.Stop == trace.StopBudget
	if p.fault == nil {
		p.fault = fault
	}
}

// goesOn says whether a run is to begin. One after the other, none begins once the money has run out for one; side by side
// each has its own.
func (p *player) goesOn(ctx context.Context, enough bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil || p.fault != nil {
		return false
	}
	p.broke = p.broke || !enough
	return enough && (p.e.AtOnce > 1 || !p.broke)
}

// measure fills in what a run's directory holds.
func (p *player) measure(run *Review) {
	run.measure(p.dir.Root(), p.m.Spec.Configs[run.job.config], p.subjects[run.job.codebase])
}

// do begins a run, or continues it.
func (j job) do(ctx context.Context, dir *rundir.Dir, m Manifest, s *subject, left *money.USD, e Env,
	observe func(rlm.Progress)) (review.Outcome, error) {
	c := m.Spec.Configs[j.config]
	re := review.Env{Registry: e.Registry, Sandbox: e.Sandbox, Version: e.Version, Now: e.Now, Observe: observe, Say: e.Say,
		Syntax: e.Syntax, Programs: e.Programs, GraphDir: e.GraphDir, Elsewhere: e.Elsewhere}
	if c.Root == env.WorkerSim || c.Worker == env.WorkerSim {
		var err error
		if re.Extra, err = j.simulated(s); err != nil {
			return review.Outcome{}, err
		}
	}
	path := filepath.Join(dir.Path(), j.dir)
	if _, err := dir.Root().Lstat(filepath.Join(j.dir, review.ManifestName)); err == nil {
		return review.Resume(ctx, path, review.Changes{Budget: left}, re)
	}
	// A crash may have left something before the run began.
	if err := errors.Join(dir.Root().RemoveAll(j.dir), dir.Root().MkdirAll(filepath.Dir(j.dir), 0o755)); err != nil {
		return review.Outcome{}, fmt.Errorf("bench directory: %w", err)
	}
	sim := func(name string) string {
		if name == env.WorkerSim {
			return simProvider + "/" + j.sim()
		}
		return modelName(name)
	}
	o := review.Options{
		Path: s.Path, Base: s.Base, Out: path, Root: sim(c.Root), Worker: sim(c.Worker), Strategy: review.StrategyRLM, MaxTurns: c.MaxTurns,
		Concurrency: m.Spec.Concurrency, Budget: left,
		NoCache: true, // who comes second must not read at the expense of who came first
	}
	switch c.Strategy {
	case env.StrategySingle:
		o.Strategy, o.Worker = review.StrategySingle, o.Root
	case env.StrategyPrompt:
		o.GateMode, o.Coverage = rlm.GatePrompt, m.Spec.Coverage
	case env.StrategyGate:
		o.GateMode, o.Coverage = rlm.GateHold, m.Spec.Coverage
	}
	return review.Analyze(ctx, o, re)
}

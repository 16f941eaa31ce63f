package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Env is what a bench takes from the program around it. The first block must be given.
type Env struct {
	// Registry opens models. Run adds a provider "sim" to it.
	Registry *llm.Registry
	Sandbox  rlm.Sandbox
	// Syntax, Programs and GraphDir are as in review.Env: what a review by itself has, a benched one has, too.
	Syntax   func() (*syntax.Parser, error)
	Programs opinion.Programs
	GraphDir string
	// Environment opens an environment that generates codebases.
	Environment func(ctx context.Context, name string) (env.Environment, error)
	// WriteTask writes a task's tree to dir/tree, and truth.json and decoys.json beside it.
	WriteTask func(dir string, t env.Task) error

	// Version is the program's. Defaults to "".
	Version string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees the progress; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(Progress)
	// Say tells the user one line. Defaults to nothing.
	Say func(string)
}

func (e Env) withDefaults() Env {
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Observe == nil {
		e.Observe = func(Progress) {}
	}
	say, said := e.Say, map[string]bool{}
	var mu sync.Mutex
	e.Say = func(line string) { // the next fifty runs need not repeat the first one's message
		mu.Lock()
		defer mu.Unlock()
		if say != nil && !said[line] {
			said[line] = true
			say(line)
		}
	}
	return e
}

// Progress is a snapshot for a live view.
type Progress struct {
	// Run is the run that is in progress, from 1, of Total.
	Run, Total       int
	Config, Codebase string
	// Review is that run's own progress; its zero value at the beginning.
	Review rlm.Progress
}

// Outcome is a bench that ran, whether or not it came to its end.
type Outcome struct {
	Dir    string
	Result Result
}

// Run begins a bench and plays it to its end. With an Outcome whose Dir is set, an error is a *rundir.Stopped or a fault of the
// machine: what was done until then is saved.
func Run(ctx context.Context, s Spec, e Env) (Outcome, error) {
	s, err := s.check()
	if err != nil {
		return Outcome{}, err
	}
	e = e.withDefaults()
	if err := checkModels(s, e.Registry); err != nil {
		return Outcome{}, err
	}
	for i := range s.Codebases { // a resumed bench may be in another directory
		for _, p := range []*string{&s.Codebases[i].Path, &s.Codebases[i].Truth} {
			if *p != "" && !strings.Contains(*p, "://") {
				if *p, err = filepath.Abs(*p); err != nil {
					return Outcome{}, fmt.Errorf("path: %w", err)
				}
			}
		}
	}
	if s.Out == "" {
		if s.Out, err = freshOut(e.Now()); err != nil {
			return Outcome{}, err
		}
	}
	dir, err := rundir.Create(s.Out, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	m := Manifest{Manifest: runfile.Manifest{Schema: rundir.Schema, Command: command, Version: e.Version, StartedAt: e.Now().UTC()}, Spec: s}
	m.Fingerprint = m.fingerprint()
	if err := dir.WriteJSON(rundir.ManifestName, m); err != nil {
		return Outcome{}, err
	}
	return begin(ctx, dir, m, e)
}

// begin prepares the codebases and plays.
func begin(ctx context.Context, dir *rundir.Dir, m Manifest, e Env) (Outcome, error) {
	var subjects []*subject
	names := map[string]int{}
	for i, c := range m.Spec.Codebases {
		s, err := prepare(ctx, dir, i, c, e)
		if err != nil {
			if ctx.Err() != nil {
				return Outcome{Dir: dir.Path()}, &rundir.Stopped{What: "bench", Parts: "runs", Dir: dir.Path(),
					Why: "it was interrupted while codebases were made ready", Cause: ctx.Err()}
			}
			dir.Discard(codebasesName)
			return Outcome{}, err
		}
		if names[s.Name]++; names[s.Name] > 1 {
			s.Name = fmt.Sprintf("%s (%d)", s.Name, names[s.Name])
		}
		m.Codebases = append(m.Codebases, s.BenchCodebase)
		subjects = append(subjects, s)
	}
	m.Fingerprint = m.fingerprint()
	if err := dir.WriteJSON(rundir.ManifestName, m); err != nil {
		return Outcome{Dir: dir.Path()}, err
	}
	return play(ctx, dir, m, subjects, e)
}

// Resume continues the bench in path: finished runs are measured again and not repeated, an interrupted one continues
// from its trace, a failed one is tried again. A budget, when given, replaces the bench's own; it is the cap for the
// whole bench, what was spent before included.
func Resume(ctx context.Context, path string, budget *float64, e Env) (Outcome, error) {
	e = e.withDefaults()
	m, err := readManifest(path)
	if err != nil {
		return Outcome{}, err
	}
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	if m.Command != command {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s holds a run of %s, no bench", path, termtext.Inline(m.Command)), "")
	}
	if m.fingerprint() != m.Fingerprint {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s was changed, or written by another version of deeprepo (%s, this is %s)",
			rundir.ManifestName, m.Version, e.Version),
			"resume with the version that began the bench, or start a new one")
	}
	if budget != nil {
		m.Spec.Budget = budget
	}
	if err := checkModels(m.Spec, e.Registry); err != nil {
		return Outcome{}, err
	}
	if len(m.Codebases) == 0 { // it was killed before everything was ready
		return begin(ctx, dir, m, e)
	}
	if budget != nil {
		if err := dir.WriteJSON(rundir.ManifestName, m); err != nil {
			return Outcome{Dir: path}, err
		}
	}
	var subjects []*subject
	for _, b := range m.Codebases {
		s, err := load(ctx, dir, b)
		if err != nil {
			return Outcome{}, err
		}
		subjects = append(subjects, s)
	}
	return play(ctx, dir, m, subjects, e)
}

// checkModels opens the runs' models before anything is spent.
func checkModels(s Spec, registry *llm.Registry) error {
	for _, c := range s.Configs {
		for _, name := range []string{c.Root, modelName(c.Worker)} {
			if name == "" || name == env.WorkerSim {
				if name == env.WorkerSim && c.Strategy != env.StrategySingle && name == c.Root {
					return hint.Wrap(fmt.Errorf("[[config]] %s: sim answers prompts about code and writes no Python: it is no root", c.Name),
						`strategy = "single" has it read by itself`)
				}
				continue
			}
			h, err := registry.Open(name)
			if err != nil {
				return fmt.Errorf("[[config]] %s: %w", c.Name, err)
			}
			if s.Budget != nil && h.Price == nil {
				return hint.Wrap(fmt.Errorf("[[config]] %s: the price of %s is not known, so a budget cannot be kept", c.Name, name),
					fmt.Sprintf("set it in deeprepo.toml: [model.%q] input = ..., output = ... (USD per million tokens), or leave budget out", name))
			}
		}
	}
	return nil
}

// modelName is a worker's name in a registry.
func modelName(worker string) string {
	if worker == env.WorkerRules {
		return rules.Name
	}
	return worker
}

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

// play does what is not done, measures everything, and writes the tables.
func play(ctx context.Context, dir *rundir.Dir, m Manifest, subjects []*subject, e Env) (Outcome, error) {
	registerSim(e.Registry, subjects)
	all := jobs(m)
	purse, err := openPurse(dir.Root(), m, all)
	if err != nil {
		return Outcome{Dir: dir.Path()}, err
	}
	var runs []*Review
	var fault error
	broke := false
	for i, j := range all {
		run := &Review{BenchReview: runfile.BenchReview{Config: m.Spec.Configs[j.config].Name, Codebase: subjects[j.codebase].Name,
			Repeat: j.repeat + 1, Dir: j.dir}, job: j}
		runs = append(runs, run)
		if run.measure(dir.Root(), m.Spec.Configs[j.config], subjects[j.codebase]); run.State == StateDone || ctx.Err() != nil || fault != nil {
			continue
		}
		left := purse.left(i)
		if broke = broke || left != nil && *left <= 0; broke {
			continue
		}
		e.Observe(Progress{Run: i + 1, Total: len(all), Config: run.Config, Codebase: run.Codebase})
		out, err := j.do(ctx, dir, m, subjects[j.codebase], left, e, func(p rlm.Progress) {
			e.Observe(Progress{Run: i + 1, Total: len(all), Config: run.Config, Codebase: run.Codebase, Review: p})
		})
		run.measure(dir.Root(), m.Spec.Configs[j.config], subjects[j.codebase])
		if run.State != StateDone {
			run.fail(out, err)
			broke = run.Stop == trace.StopBudget
		}
		fault = purse.settle(i, dir.Root(), j)
	}
	return conclude(ctx, dir, m, subjects, runs, fault, broke, e)
}

// registerSim adds the simulated workers: sim/CODEBASE-REPEAT knows that codebase's truth, and has that repeat's luck.
// All configurations meet the same luck with the same prompt.
func registerSim(registry *llm.Registry, subjects []*subject) {
	var mu sync.Mutex
	readers := map[string]llm.Handle{} // a loop opens its worker for every dispatch
	registry.Register("sim", func(model string) (llm.Handle, error) {
		mu.Lock()
		defer mu.Unlock()
		if h, ok := readers[model]; ok {
			return h, nil
		}
		var b, r int
		if _, err := fmt.Sscanf(model, "%d-%d", &b, &r); err != nil || b < 0 || b >= len(subjects) || subjects[b].Task == "" {
			return llm.Handle{}, fmt.Errorf("no simulated worker %q", model)
		}
		readers[model] = orchestration.Sim(subjects[b].task(), int64(r))
		return readers[model], nil
	})
}

// do begins a run, or continues it.
func (j job) do(ctx context.Context, dir *rundir.Dir, m Manifest, s *subject, left *money.USD, e Env,
	observe func(rlm.Progress)) (review.Outcome, error) {
	c := m.Spec.Configs[j.config]
	re := review.Env{Registry: e.Registry, Sandbox: e.Sandbox, Version: e.Version, Now: e.Now, Observe: observe, Say: e.Say,
		Syntax: e.Syntax, Programs: e.Programs, GraphDir: e.GraphDir}
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
			return fmt.Sprintf("sim/%d-%d", j.codebase, j.repeat)
		}
		return modelName(name)
	}
	o := review.Options{
		Path: s.Path, Out: path, Root: sim(c.Root), Worker: sim(c.Worker), Strategy: review.StrategyRLM, MaxTurns: c.MaxTurns,
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

// conclude computes the result and writes it.
func conclude(ctx context.Context, dir *rundir.Dir, m Manifest, subjects []*subject, runs []*Review, fault error, broke bool,
	e Env) (Outcome, error) {
	result := newResult(m, subjects, runs)
	out := Outcome{Dir: dir.Path(), Result: result}
	if err := writeResult(dir, result); err != nil {
		return out, errors.Join(fault, err)
	}
	if fault != nil {
		return out, fault
	}
	done, why := 0, ""
	for _, r := range runs {
		if r.State == StateDone {
			done++
		} else if why == "" && r.Error != "" {
			why = fmt.Sprintf("%s on %s: %s", r.Config, r.Codebase, r.Error)
		}
	}
	if done == len(runs) {
		return out, nil
	}
	stop := &rundir.Stopped{What: "bench", Parts: "runs", Dir: dir.Path(), Why: why, Done: done, Total: len(runs)}
	switch {
	case ctx.Err() != nil:
		stop.Why, stop.Cause = "it was interrupted", ctx.Err()
	case broke:
		stop.Why, stop.Budget = "the budget is spent", true
	default:
		for _, r := range runs {
			if r.cause != nil {
				stop.Cause = r.cause
				break
			}
		}
	}
	return out, stop
}

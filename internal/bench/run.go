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
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
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

	// Elsewhere has the reviews performed on other machines, by [Perform] there. Defaults to this one. A bench that was killed
	// while runs were elsewhere is resumed with it: their journals are there, and what they cost is not known here.
	Elsewhere review.Elsewhere
	// AtOnce is how many of them are in progress at once. With a budget each begins with an equal share of what is left among
	// those not begun, and leaves to the others what it did not spend: together they never spend more, but one can run out of
	// its share where in turn it would not have. Defaults to 1, and is 1 without Elsewhere.
	AtOnce int

	// Version is the program's. Defaults to "".
	Version string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees the progress; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(Progress)
	// Say tells the user one line. Defaults to nothing.
	Say func(string)
	// Opened is told of the bench's directory; what it returns is called before that is closed. Defaults to nothing.
	Opened func(*rundir.Dir) (closing func())
}

func (e Env) withDefaults() Env {
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Observe == nil {
		e.Observe = func(Progress) {}
	}
	if e.Opened == nil {
		e.Opened = func(*rundir.Dir) func() { return func() {} }
	}
	if e.AtOnce < 1 || e.Elsewhere == nil {
		e.AtOnce = 1
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
	if err := checkModels(s, e); err != nil {
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
	if err := checkModels(m.Spec, e); err != nil {
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

// checkModels looks at the runs' models before anything is spent. Those that other machines ask need no key here.
func checkModels(s Spec, e Env) error {
	open := e.Registry.Open
	if e.Elsewhere != nil {
		open = e.Registry.Known
	}
	for _, c := range s.Configs {
		for _, name := range []string{c.Root, modelName(c.Worker)} {
			if name == "" || name == env.WorkerSim {
				if name == env.WorkerSim && c.Strategy != env.StrategySingle && name == c.Root {
					return hint.Wrap(fmt.Errorf("[[config]] %s: sim answers prompts about code and writes no Python: it is no root", c.Name),
						`strategy = "single" has it read by itself`)
				}
				continue
			}
			h, err := open(name)
			if err != nil {
				return fmt.Errorf("[[config]] %s: %w", c.Name, err)
			}
			if s.Budget != nil && h.Price == nil && h.Model != nil {
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
	done, away, why := 0, 0, ""
	for _, r := range runs {
		if rundir.Away(dir.Root(), r.Dir) {
			away++
		}
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
		stop.Why, stop.Cause = rundir.Interrupted(away), ctx.Err()
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

package recipe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/train/sft"
)

// Phases of a recipe, in order.
const (
	PhaseDemonstrations = "demonstrations"
	PhaseLessons        = "sft"
	PhaseBefore         = train.BeforeName
	PhaseTraining       = "training"
	PhaseRollouts       = "rollouts" // within a step of the training
	PhaseAfter          = train.AfterName
)

// lessonsName is where the first lessons of a recipe have their directory.
const lessonsName = "sft"

// Progress is how far a recipe is.
type Progress struct {
	Phase       string
	Done, Total int
	// Step is what a step of a training did; nil elsewhere.
	Step *train.Step
	// Reward is the mean of a measurement so far, with Counted above 0.
	Reward  float64
	Counted int
}

// Config is what a recipe takes from the program around it.
type Config struct {
	// Environment is the one that the training plays, Demonstrated the one that demonstrations are collected in, Measured
	// the one of before and after. They must be given.
	Environment, Demonstrated, Measured env.Environment
	// Sandbox runs the cells. It must be given.
	Sandbox rlm.Sandbox
	// Out is the directory. It must be given; what an earlier execution left there is gone on with.
	Out string
	// Version is the program's. Defaults to "".
	Version string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees the progress; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(Progress)
	// Say tells the user one line. Defaults to nothing.
	Say func(string)
}

// run is a recipe that runs.
type run struct {
	o        Options
	c        Config
	provider *nano.Provider
	summary  report.Summary
}

// kind is how a recipe's directory is spoken of.
var kind = rundir.Kind{Name: "training", Leaves: "weights", By: "deeprepo train", Files: []string{train.PlanName},
	Taken: func(path string) error {
		return hinted(fmt.Errorf("%s already holds another run", path), "choose another directory with --out DIR")
	}}

// IsRun reports whether dir holds a recipe, begun or done.
func IsRun(dir string) bool {
	_, err := ReadPlan(dir)
	return err == nil
}

// ReadPlan reads what the recipe in dir was asked for.
func ReadPlan(dir string) (Options, error) {
	var o Options
	data, err := os.ReadFile(filepath.Join(dir, train.PlanName))
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("%s: %w", filepath.Join(dir, train.PlanName), err)
	}
	if o.Schema != schema {
		return o, hinted(fmt.Errorf("%s was written by another version of deeprepo", filepath.Join(dir, train.PlanName)), "go on with the version that began it")
	}
	return o, nil
}

// Run trains by the recipe, or goes on with what an earlier execution of it left. An error of a recipe that was
// interrupted is a *rundir.Stopped; what was done is saved.
func Run(ctx context.Context, o Options, c Config) (report.Summary, error) {
	if err := o.check(); err != nil {
		return report.Summary{}, err
	}
	c = c.withDefaults()
	if strings.Contains(c.Out, ":") {
		return report.Summary{}, hinted(fmt.Errorf("the directory %s has a colon in its name", c.Out), "nano/DIR:ADAPTER would not know it; choose another one with --out DIR")
	}
	if err := plan(c.Out, o); err != nil {
		return report.Summary{}, err
	}
	r := &run{o: o, c: c, provider: nano.NewProvider(nano.ProviderConfig{})}
	defer r.provider.Close()
	r.summary = report.Summary{Schema: report.Schema, Run: c.Out, Engine: Embedded, Method: o.Method, Status: report.StatusCompleted,
		Environment: o.Environment, Measured: o.Measure.Environment, Split: split(c.Measured), Settings: o.settings(), Progression: []report.Point{}}
	err := r.all(ctx)
	return r.summary, err
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(Progress) {}
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	return c
}

// plan writes down what is asked for, or compares it with what was.
func plan(out string, o Options) error {
	want, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return err
	}
	old, err := os.ReadFile(filepath.Join(out, train.PlanName))
	if errors.Is(err, fs.ErrNotExist) {
		dir, err := rundir.Create(out, kind)
		if err != nil {
			return err
		}
		return errors.Join(dir.WriteJSON(train.PlanName, o), dir.Close())
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(bytes.TrimSpace(old), want) {
		return hinted(fmt.Errorf("%s holds a training with other options", out),
			"deeprepo resume "+out+" goes on with it; for a new training choose another directory with --out DIR")
	}
	return nil
}

func (r *run) all(ctx context.Context) error {
	if r.o.Method == sft.Method {
		return r.lessonsOnly(ctx)
	}
	policy, err := r.base(ctx)
	if err != nil {
		return err
	}
	base := r.path(train.BaseName)
	if err := checkpoint.WriteModel(base, policy.Model, policy.Tokenizer, nil); err != nil {
		return err
	}
	if r.summary.Before, err = r.measure(ctx, train.BeforeName, base); err != nil {
		return err
	}
	diverged := r.learn(ctx, policy)
	if diverged != nil && !errors.As(diverged, new(*grpo.Diverged)) {
		return diverged
	}
	if r.summary.After, err = r.measure(ctx, train.AfterName, r.c.Out); err != nil {
		return err
	}
	return errors.Join(diverged, r.finish())
}

// base is the model that the training begins with.
func (r *run) base(ctx context.Context) (nano.Policy, error) {
	if r.o.From != "" {
		policy, err := r.provider.Policy(r.o.From)
		if err == nil {
			r.summary.Parameters, r.summary.Size = count(policy.Model), sizeOf(policy.Model)
		}
		return policy, err
	}
	out, err := r.lessons(ctx, r.path(lessonsName), nil)
	return out.Policy, err
}

// lessons are a model's first ones, in a directory.
func (r *run) lessons(ctx context.Context, dir string, base *nano.Policy) (sft.Outcome, error) {
	out, err := sft.Run(ctx, r.o.SFT, sft.Config{Environment: r.c.Demonstrated, Sandbox: r.c.Sandbox, Base: base, Out: dir, Version: r.c.Version,
		Now: r.c.Now, Say: r.c.Say,
		Played: func(done, total int) { r.c.Observe(Progress{Phase: PhaseDemonstrations, Done: done, Total: total}) },
		Observe: func(p sft.Progress) {
			r.c.Observe(Progress{Phase: PhaseLessons, Done: p.Step.Step, Total: p.Steps, Step: &p.Step})
		},
	})
	if err != nil {
		return out, err
	}
	r.summary.Parameters, r.summary.Size = count(out.Policy.Model), sizeOf(out.Policy.Model)
	r.summary.Lessons = &report.Lesson{Demonstrations: len(out.Demonstrations), Steps: len(out.Steps), Heldout: out.Heldout, Seconds: seconds(out.Steps)}
	return out, nil
}

// lessonsOnly is the recipe of a training that is nothing but lessons.
func (r *run) lessonsOnly(ctx context.Context) error {
	var base *nano.Policy
	if r.o.From != "" {
		policy, err := r.provider.Policy(r.o.From)
		if err != nil {
			return err
		}
		base = &policy
		if r.summary.Before, err = r.measure(ctx, train.BeforeName, r.o.From); err != nil {
			return err
		}
	}
	out, err := r.lessons(ctx, r.c.Out, base)
	if err != nil {
		return err
	}
	r.summary.Seed, r.summary.Steps, r.summary.BestStep = r.o.SFT.Seed, len(out.Steps), len(out.Steps)
	r.summary.Trained, r.summary.Seconds = r.summary.Parameters, seconds(out.Steps)
	r.summary.Progression, r.summary.Adapter = report.Progression(out.Steps), out.Dir
	if r.summary.After, err = r.measure(ctx, train.AfterName, r.c.Out); err != nil {
		return err
	}
	return r.finish()
}

// learn is the training itself.
func (r *run) learn(ctx context.Context, policy nano.Policy) error {
	var at train.Step
	out, err := grpo.Run(ctx, *r.o.GRPO, grpo.Config{Environment: r.c.Environment, Sandbox: r.c.Sandbox, Policy: policy, Out: r.c.Out, Version: r.c.Version,
		Now: r.c.Now, Say: r.c.Say,
		Observe: func(s train.Step) {
			at = s
			r.c.Observe(Progress{Phase: PhaseTraining, Done: s.Step, Total: r.o.GRPO.Steps, Step: &s})
		},
		Played: func(done, total int) {
			r.c.Observe(Progress{Phase: PhaseRollouts, Done: done, Total: total, Step: &at})
		},
	})
	if errors.As(err, new(*grpo.Diverged)) {
		r.summary.Status = report.StatusDiverged
	} else if err != nil {
		return err
	}
	r.summary.End, r.summary.Seed, r.summary.BestStep = out.End, out.Options.Seed, out.BestStep
	if n := len(out.Steps); n > 0 {
		r.summary.Steps = out.Steps[n-1].Step
	}
	if out.Adapter != nil {
		for _, p := range out.Adapter.Params() {
			r.summary.Trained += len(p.Data)
		}
	}
	r.summary.Progression, r.summary.Seconds, r.summary.Adapter = report.Progression(out.Steps), seconds(out.Steps), r.path(train.AdapterName)
	return err
}

// finish compares, and writes what the recipe leaves.
func (r *run) finish() error {
	var err error
	s := &r.summary
	if s.Before != nil {
		if s.BeforeCells, err = cells(r.path(train.BeforeName)); err != nil {
			return err
		}
	}
	if s.After != nil {
		if s.AfterCells, err = cells(r.path(train.AfterName)); err != nil {
			return err
		}
	}
	if s.Before != nil && s.After != nil {
		if s.Test, err = report.Compare(r.path(train.BeforeName), r.path(train.AfterName)); err != nil {
			r.c.Say("before and after cannot be compared: " + err.Error())
		}
	}
	s.Explain()
	dir, err := rundir.Open(r.c.Out, kind)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.WriteJSON(train.SummaryName, s); err != nil {
		return err
	}
	steps, err := report.Steps(r.c.Out)
	if err != nil {
		return err
	}
	return dir.Write(train.ReportName, func(w io.Writer) error { return report.WriteHTML(w, *s, steps) })
}

func cells(dir string) (*report.Cells, error) {
	c, err := report.CountCells(dir)
	return &c, err
}

// sizeOf is the size that a model has, "" for one of none.
func sizeOf(m *transformer.Model) string {
	for _, size := range sft.Sizes() {
		if shape, ok := sft.Shape(size); ok {
			shape.Vocab = m.Config.Vocab
			if shape == m.Config {
				return size
			}
		}
	}
	return ""
}

// settings is a digest of everything that is asked for but the seed, and where a model comes from, which differs with it.
func (o Options) settings() string {
	o.From, o.SFT.Seed = "", 0
	if o.GRPO != nil {
		learn := *o.GRPO
		learn.Seed = 0
		o.GRPO = &learn
	}
	data, err := json.Marshal(o)
	if err != nil {
		return "" // it was written down as JSON before
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

func (r *run) path(name string) string { return filepath.Join(r.c.Out, name) }

func count(m *transformer.Model) int {
	n := 0
	if m != nil {
		for _, p := range m.Params() {
			n += len(p.Data)
		}
	}
	return n
}

func seconds(steps []train.Step) float64 {
	sum := 0.0
	for _, s := range steps {
		sum += s.Seconds
	}
	return sum
}

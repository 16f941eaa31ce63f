package recipe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
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
	Step *runfile.TrainingStep
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
	// Elsewhere are other machines that play the rollouts of a training by reinforcement. Defaults to none: they are played here.
	Elsewhere *grpo.Machines
	// Opened is told of the directory of a training by reinforcement; what it returns is called before that is closed. Defaults to
	// nothing.
	Opened func(*rundir.Dir) (closing func())
	// Out is the directory. It must be given; a training that an earlier execution left there is continued.
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
	o       Options
	c       Config
	given   *nano.Policy // to begin with; nil: a new one
	part    string       // which is in progress
	parts   int          // that are done
	summary runfile.TrainingSummary
}

// Run trains by the recipe, or continues what an earlier execution of it left. An error of a recipe that was
// interrupted is a *rundir.Stopped; what was done is saved.
func Run(ctx context.Context, o Options, c Config) (runfile.TrainingSummary, error) {
	if err := o.check(); err != nil {
		return runfile.TrainingSummary{}, err
	}
	c = c.withDefaults()
	if strings.Contains(c.Out, ":") {
		return runfile.TrainingSummary{}, hint.Wrap(fmt.Errorf("the directory %s has a colon in its name", c.Out),
			"nano/DIR:ADAPTER would not know it; choose another one with --out DIR")
	}
	if err := o.checkParts(c); err != nil {
		return runfile.TrainingSummary{}, err
	}
	r := &run{o: o, c: c}
	if o.From != "" {
		given, err := nano.NewProvider(nano.ProviderConfig{}).Policy(o.From)
		if err != nil {
			return runfile.TrainingSummary{}, err
		}
		r.given = &given
		if o.Weights == Int8 {
			if o.Method == sft.Method && !given.Model.Config.BeyondCache() {
				return runfile.TrainingSummary{}, hint.New("the first lessons of a model this small train all its weights, in 32 bits",
					"omit --weights")
			}
			given.Compute = given.Model.InEightBits()
		}
		if given.Model.Config.BeyondCache() {
			// Weights are most of the memory and stay: to double it before garbage is collected would be half a machine's.
			defer debug.SetGCPercent(debug.SetGCPercent(20))
		}
	}
	if err := plan(c.Out, o); err != nil {
		return runfile.TrainingSummary{}, err
	}
	r.summary = runfile.TrainingSummary{Schema: report.Schema, Run: c.Out, Engine: Embedded, Method: o.Method, Status: trace.StatusCompleted,
		Environment: o.Environment, Measured: o.Measure.Environment, Split: train.MeasuredSplit(c.Measured), Settings: o.settings(),
		Progression: []runfile.TrainingPoint{}}
	r.summary.Temperature.Measured = o.Measure.Temperature
	err := r.stopped(ctx, r.all(ctx))
	return r.summary, err
}

// stopped tells an interruption of any part as one of the whole.
func (r *run) stopped(ctx context.Context, err error) error {
	var s *rundir.Stopped
	switch {
	case errors.As(err, &s):
		whole := *s
		whole.What, whole.Dir = "training", r.c.Out
		if r.part != PhaseTraining {
			whole.What += " (its part: " + r.part + ")"
		}
		return &whole
	case err != nil && ctx.Err() != nil:
		return &rundir.Stopped{What: "training (its part: " + r.part + ")", Parts: "parts", Dir: r.c.Out, Why: "it was interrupted",
			Done: r.parts, Total: 4, Cause: err}
	}
	return err
}

// begin says which part follows.
func (r *run) begin(part string) {
	if r.part != "" {
		r.parts++
	}
	r.part = part
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

func (r *run) all(ctx context.Context) error {
	switch r.o.Method {
	case sft.Method:
		return r.lessonsOnly(ctx)
	case dpo.Method:
		return r.preferences(ctx)
	}
	policy, err := r.base(ctx)
	if err != nil {
		return err
	}
	base, err := r.keepBase(policy)
	if err != nil {
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

// keepBase writes the model that the training begins with into the recipe's directory, and gives its place there. What an
// earlier execution wrote stays: a --from that has been trained anew since then is another model, and would leave before/
// and the adapter without their base.
func (r *run) keepBase(policy nano.Policy) (string, error) {
	base := r.path(train.BaseName)
	if m, _, _, err := checkpoint.ReadModel(os.DirFS(base)); err == nil {
		if checkpoint.Fingerprint(m) != checkpoint.Fingerprint(policy.Model) {
			return "", hint.Wrap(fmt.Errorf("%s is not the model that the training in %s began with", r.o.From, r.c.Out),
				"it has changed since then: --from "+base+" with another --out DIR begins with the old one")
		}
		return base, nil
	}
	return base, policy.Write(base, nil)
}

// base is the model that the training begins with.
func (r *run) base(ctx context.Context) (nano.Policy, error) {
	if r.given != nil {
		r.summary.Parameters, r.summary.Size = count(r.given.Model.Params()), sizeOf(r.given.Model)
		return *r.given, nil
	}
	out, err := r.lessons(ctx, r.path(lessonsName), nil)
	return out.Policy, err
}

// program is what all parts of the training take from the program around it.
func (r *run) program() train.Program {
	return train.Program{Version: r.c.Version, Now: r.c.Now, Say: r.c.Say}
}

// lessons are a model's first ones, in a directory.
func (r *run) lessons(ctx context.Context, dir string, base *nano.Policy) (sft.Outcome, error) {
	r.begin(PhaseLessons)
	out, err := sft.Run(ctx, r.o.SFT, sft.Config{Environment: r.c.Demonstrated, Sandbox: r.c.Sandbox, Base: base, Out: dir,
		Program: r.program(),
		Played:  func(done, total int) { r.c.Observe(Progress{Phase: PhaseDemonstrations, Done: done, Total: total}) },
		Observe: func(p sft.Progress) {
			r.c.Observe(Progress{Phase: PhaseLessons, Done: p.TrainingStep.Step, Total: p.Steps, Step: &p.TrainingStep})
		},
	})
	if err != nil {
		return out, err
	}
	r.summary.Parameters, r.summary.Size = count(out.Policy.Model.Params()), sizeOf(out.Policy.Model)
	r.summary.Lessons = &runfile.TrainingLesson{Demonstrations: len(out.Demonstrations), Steps: len(out.Steps), Heldout: out.Heldout,
		Seconds: seconds(out.Steps)}
	return out, nil
}

// lessonsOnly is the recipe of a training that is only lessons.
func (r *run) lessonsOnly(ctx context.Context) error {
	if r.given != nil {
		var err error
		if r.summary.Before, err = r.measure(ctx, train.BeforeName, r.o.From); err != nil {
			return err
		}
	}
	out, err := r.lessons(ctx, r.c.Out, r.given)
	if err != nil {
		return err
	}
	r.summary.Seed, r.summary.Steps, r.summary.BestStep = r.o.SFT.Seed, len(out.Steps), len(out.Steps)
	r.summary.Trained, r.summary.Seconds = out.Trained, seconds(out.Steps)
	r.summary.Progression, r.summary.Adapter = report.Progression(out.Steps), out.Dir
	if r.summary.After, err = r.measure(ctx, train.AfterName, r.c.Out); err != nil {
		return err
	}
	return r.finish()
}

// learn is the training itself.
func (r *run) learn(ctx context.Context, policy nano.Policy) error {
	r.begin(PhaseTraining)
	var at runfile.TrainingStep
	out, err := grpo.Run(ctx, *r.o.GRPO, grpo.Config{Environment: r.c.Environment, Sandbox: r.c.Sandbox, Policy: policy, Out: r.c.Out,
		Program: r.program(), Elsewhere: r.c.Elsewhere, Opened: r.c.Opened,
		Observe: func(s runfile.TrainingStep) {
			at = s
			r.c.Observe(Progress{Phase: PhaseTraining, Done: s.Step, Total: r.o.GRPO.Steps, Step: &s})
		},
		Played: func(done, total int) {
			r.c.Observe(Progress{Phase: PhaseRollouts, Done: done, Total: total, Step: &at})
		},
	})
	if errors.As(err, new(*grpo.Diverged)) {
		r.summary.Status = trace.StatusDiverged
	} else if err != nil {
		return err
	}
	r.summary.End, r.summary.Seed, r.summary.BestStep = out.End, out.Options.Seed, out.BestStep
	r.summary.Temperature.Training, r.summary.Temperature.Between = out.Options.Temperature, out.Options.HeldoutTemperature
	if n := len(out.Steps); n > 0 {
		r.summary.Steps = out.Steps[n-1].Step
	}
	if out.Adapter != nil {
		r.summary.Trained = count(out.Adapter.Params())
	}
	r.summary.Progression, r.summary.Seconds, r.summary.Adapter = report.Progression(out.Steps), seconds(out.Steps), r.path(train.AdapterName)
	return err
}

func (r *run) path(name string) string { return filepath.Join(r.c.Out, name) }

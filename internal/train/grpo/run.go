package grpo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Method is what train.Manifest.Method holds.
const Method = "grpo"

// Outcome is what a run came to.
type Outcome struct {
	Dir     string
	Options Options // with their defaults
	Steps   []runfile.TrainingStep
	// End is one of EndSteps, EndPatience and EndDiverged; "" for a run that was interrupted.
	End string
	// Before is the held-out reward of the base, Best that of the policy that was kept, and BestStep where it was met.
	Before, Best float64
	BestStep     int
	// Adapter is the policy that was kept, as it is in the run's directory.
	Adapter *transformer.Adapter
}

// run is a training that runs.
type run struct {
	o        Options
	c        Config
	dir      *train.Run
	schedule schedule
	measured string // the split of held-out rollouts
	adapter  *transformer.Adapter
	learner  *learner
	sampler  *nano.Sampler      // nil where rollouts are played elsewhere
	sampled  *transformer.Model // what it samples from after the first step
	weights  Weights            // where the policy was put last for that
	progress progress
	done     int // the last step of an earlier execution; -1: there was none
}

// Run trains a policy, or continues the training that an earlier execution left in the directory. A run that was
// interrupted is a *rundir.Stopped, one that diverged a *Diverged; the outcome holds then what there is.
func Run(ctx context.Context, o Options, c Config) (Outcome, error) {
	o, c = o.withDefaults(c.Environment), c.withDefaults()
	if err := o.check(c.Environment); err != nil {
		return Outcome{}, err
	}
	if err := c.Policy.Validate(); err != nil {
		return Outcome{}, hint.Wrap(err, "give a model directory that deeprepo train sft wrote")
	}
	dir, err := train.Start(c.Out, train.Setup{Method: Method, Version: c.Version, Options: o, Now: c.Now,
		Inputs: []string{train.Identity(c.Policy), env.Identity(c.Environment)}})
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	defer c.Opened(dir.Dir())()
	r := &run{o: o, c: c, dir: dir, measured: train.MeasuredSplit(c.Environment)}
	s := o.Selection()
	r.schedule = schedule{selection: s, size: c.Environment.Size(s), perStep: o.Tasks + o.Refill}
	r.adapter = transformer.NewAdapter(c.Policy.Model.Config, o.Rank, o.Alpha, uint64(o.Seed))
	r.learner = newLearner(c.Policy.Computed(), r.adapter, o, c.Cores)
	if err := r.restore(); err != nil {
		return Outcome{}, err
	}
	if c.Elsewhere == nil {
		r.sampler = nano.NewSampler(c.Policy, nano.SamplerConfig{Cores: c.Cores, MaxCell: o.MaxCell})
		defer r.sampler.Close()
	}
	end, err := r.loop(ctx)
	return r.outcome(end, err)
}

// loop makes the steps that are missing.
func (r *run) loop(ctx context.Context) (end string, err error) {
	if r.done < 0 {
		if err := r.c.Policy.Write(r.path(train.BaseName), nil); err != nil {
			return "", err
		}
	}
	for n := r.done + 1; n <= r.o.Steps; n++ {
		if r.o.Patience > 0 && r.progress.Since >= r.o.Patience {
			return EndPatience, nil
		}
		var s runfile.TrainingStep
		var err error
		started := r.c.Now()
		if n > 0 {
			if s, err = r.step(ctx, n); err == nil {
				err = r.progress.check(s, r.o)
			}
		}
		if err == nil && (n%r.o.HeldoutEvery == 0 || n == r.o.Steps) {
			err = r.examine(ctx, &s)
		}
		if ctx.Err() != nil {
			return "", r.dir.Stopped(max(0, n-1), r.o.Steps)
		}
		if err != nil {
			if errors.As(err, new(*Diverged)) {
				return EndDiverged, err
			}
			return "", err
		}
		s.Seconds = r.c.Now().Sub(started).Seconds()
		s.TokensPerSecond = train.Share(float64(s.Tokens), s.Seconds)
		if err := r.keep(s); err != nil {
			return "", err
		}
		r.c.Observe(s)
	}
	return EndSteps, nil
}

// examine measures the policy on held-out tasks, and keeps it where it is the best so far.
func (r *run) examine(ctx context.Context, s *runfile.TrainingStep) error {
	started := r.c.Now()
	groups, err := r.heldout(ctx)
	if err != nil {
		return err
	}
	var m runfile.TrainingStep
	measure(&m, groups)
	if m.Rollouts <= m.Dropped {
		return tooManyDropped(s.Step, groups, m)
	}
	s.Heldout = &m.Reward
	if s.Step == 0 { // nothing else was played: the base is described by what was
		m.Heldout, m.Dropped = s.Heldout, 0
		*s = m
	}
	s.HeldoutSeconds = r.c.Now().Sub(started).Seconds()
	if !r.progress.measured(s.Step, m.Reward) {
		return nil
	}
	return checkpoint.WriteAdapter(r.path(train.AdapterName), r.adapter, r.c.Policy.Model, filepath.Join("..", train.BaseName))
}

// keep records a step and saves all that the next one depends on.
func (r *run) keep(s runfile.TrainingStep) error {
	if err := r.dir.Record(s); err != nil {
		return err
	}
	state, err := train.Snapshot(s.Step, r.adapter.Params(), r.learner.optimizer, r.progress)
	if err != nil {
		return err
	}
	return r.dir.Save(state)
}

// restore continues from the checkpoint, if there is one.
func (r *run) restore() error {
	r.done = -1
	s := r.dir.State()
	if s == nil {
		return nil
	}
	r.done = s.Step
	return s.Restore(r.adapter.Params(), r.learner.optimizer, &r.progress)
}

func (r *run) path(name string) string { return r.dir.Dir().File(name) }

// outcome says what there is when the loop has ended.
func (r *run) outcome(end string, err error) (Outcome, error) {
	out := Outcome{Dir: r.dir.Dir().Path(), Options: r.o, Steps: r.dir.Steps(), End: end, Best: r.progress.BestReward,
		BestStep: r.progress.Best}
	if len(out.Steps) > 0 && out.Steps[0].Heldout != nil {
		out.Before = *out.Steps[0].Heldout
	}
	if !r.progress.Measured {
		return out, err
	}
	root, openErr := r.dir.Dir().Root().OpenRoot(train.AdapterName)
	if openErr == nil {
		out.Adapter, openErr = checkpoint.ReadAdapter(root.FS(), r.c.Policy.Model)
		openErr = errors.Join(openErr, root.Close())
	}
	return out, errors.Join(err, openErr)
}

// player plays with the policy as it is.
func (r *run) player(ctx context.Context) (*player, error) {
	p := &player{elsewhere: r.c.Elsewhere, shape: r.c.Policy.Model.Config, played: r.c.Played, concurrency: r.c.Concurrency,
		stage: stage{r.c.Environment, r.c.Sandbox, r.sampler}}
	if p.elsewhere == nil {
		if r.c.Policy.Compute != nil {
			return p, r.sampler.Use(r.c.Policy.Compute, r.adapter)
		}
		return p, r.sampler.Use(r.merged(), nil)
	}
	if err := r.keepWeights(ctx); err != nil {
		return nil, fmt.Errorf("the policy's weights for other machines: %w", err)
	}
	p.work = Work{Environment: r.c.Environment.Name(), Identity: env.Identity(r.c.Environment), Data: p.elsewhere.Data, MaxCell: r.o.MaxCell,
		Weights: r.weights, Name: r.c.Policy.Name, Arithmetic: nano.Arithmetic()}
	return p, nil
}

// merged is the policy as it is, in the memory of the one before it: between two steps nothing is sampled.
func (r *run) merged() *transformer.Model {
	if base := r.c.Policy.Model; r.sampled == nil {
		r.sampled = base.Merge(r.adapter)
	} else {
		r.sampled.Fold(base, r.adapter)
	}
	return r.sampled
}

// keepWeights puts the policy as it is where other machines find it.
func (r *run) keepWeights(ctx context.Context) error {
	if r.weights.Base == "" {
		base, err := checkpoint.PackModel(r.c.Policy.Model, r.c.Policy.Tokenizer)
		if err != nil {
			return err
		}
		if r.weights.Base, err = r.c.Elsewhere.Keep(ctx, base); err != nil {
			return err
		}
	}
	adapter, err := checkpoint.PackAdapter(r.adapter, r.c.Policy.Model)
	if err != nil {
		return err
	}
	r.weights.Adapter, err = r.c.Elsewhere.Keep(ctx, adapter)
	return err
}

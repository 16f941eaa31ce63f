package dpo

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Method is what train.Manifest.Method holds.
const Method = "dpo"

// Reasons why a run ended.
const (
	EndSteps    = "steps"    // all its steps are done
	EndDiverged = "diverged" // see Diverged
)

// Outcome is what a run came to.
type Outcome struct {
	Dir     string
	Options Options // with their defaults
	Pairs   int     // that were learnt from
	Steps   []runfile.TrainingStep
	// End is one of EndSteps and EndDiverged; "" for a run that was interrupted.
	End    string
	Alarms []Alarm
	// Adapter is the policy as it is in the run's directory; nil for a run that was interrupted or diverged.
	Adapter *transformer.Adapter
}

// saveEvery is how many steps lie between two checkpoints.
const saveEvery = 5

// run is a training that runs.
type run struct {
	o        Options
	c        Config
	dir      *train.Run
	lessons  []lesson
	adapter  *transformer.Adapter
	learner  *learner
	progress progress
	done     int // the last step of an earlier execution
	steps    int
}

// Run trains an adapter on the pairs of a set, or continues the training that an earlier execution left in the
// directory. A run that was interrupted is a *rundir.Stopped, one that diverged a *Diverged, and leaves no adapter; the
// outcome holds then what there is.
func Run(ctx context.Context, o Options, c Config) (Outcome, error) {
	if err := o.Check(); err != nil {
		return Outcome{}, err
	}
	o, c = o.withDefaults(), c.withDefaults()
	dir, err := train.Start(c.Out, train.Setup{Method: Method, Version: c.Version, Options: o, Now: c.Now,
		Inputs: []string{c.Set.model, c.Set.digest(c.Pairs)}})
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	m := c.Set.policy.Model
	r := &run{o: o, c: c, dir: dir, lessons: c.Set.learn[:c.Pairs], adapter: transformer.NewAdapter(m.Config, o.Rank, o.Alpha, uint64(o.Seed))}
	if r.steps = o.Steps; r.steps == 0 {
		r.steps = o.Epochs * r.perEpoch()
	}
	r.learner = newLearner(c.Set.policy.Computed(), r.adapter, o, c.Cores)
	if s := dir.State(); s != nil {
		r.done = s.Step
		if err := s.Restore(r.adapter.Params(), r.learner.optimizer, &r.progress); err != nil {
			return Outcome{}, err
		}
	} else if err := c.Set.policy.Write(r.path(train.BaseName), nil); err != nil {
		return Outcome{}, err
	}
	return r.outcome(r.loop(ctx))
}

// perEpoch is how many steps go once through the pairs.
func (r *run) perEpoch() int { return (len(r.lessons) + r.o.Batch - 1) / r.o.Batch }

// loop makes the steps that are missing.
func (r *run) loop(ctx context.Context) (end string, err error) {
	for n := r.done + 1; n <= r.steps; n++ {
		s, err := r.step(ctx, n)
		if ctx.Err() != nil {
			return "", r.dir.Stopped(n-1, r.steps)
		}
		if err == nil {
			err = r.progress.check(s, r.o, r.c.Say)
		}
		if diverged := (*Diverged)(nil); errors.As(err, &diverged) {
			return EndDiverged, err
		}
		if err == nil {
			err = r.keep(s)
		}
		if err != nil {
			return "", err
		}
		r.c.Observe(s, r.steps)
	}
	return EndSteps, nil
}

// step learns a batch and, where it is time, measures the held-out pairs.
func (r *run) step(ctx context.Context, n int) (runfile.TrainingStep, error) {
	started := r.c.Now()
	s := runfile.TrainingStep{Step: n, LR: optim.Linear(n-1, r.steps, max(1, r.steps/10), r.o.LR, r.o.LR/10)}
	got, norm, err := r.learner.update(ctx, r.batch(n), s.LR)
	if err != nil {
		return s, err
	}
	p := got.pairwise()
	s.Pairs, s.Loss, s.GradNorm, s.Tokens = got.pairs, train.Share(got.loss, float64(got.pairs)), norm, got.tokens
	s.PreferenceLoss, s.ChosenLogP, s.RejectedLogP, s.ChosenDrift, s.Margin, s.Accuracy = p.PreferenceLoss, p.ChosenLogP, p.RejectedLogP,
		p.ChosenDrift, p.Margin, p.Accuracy
	learnt := r.c.Now()
	s.LearnSeconds = learnt.Sub(started).Seconds()
	if len(r.c.Set.measure) > 0 && r.measured(n) {
		got, err := r.learner.measure(ctx, r.c.Set.measure)
		if err != nil {
			return s, err
		}
		p := got.pairwise()
		s.HeldoutPairs, s.Tokens = &p, s.Tokens+got.tokens
		s.HeldoutSeconds = r.c.Now().Sub(learnt).Seconds()
	}
	s.Seconds = r.c.Now().Sub(started).Seconds()
	s.TokensPerSecond = train.Share(float64(s.Tokens), s.Seconds)
	return s, nil
}

// measured reports a step at which the held-out pairs are measured.
func (r *run) measured(n int) bool {
	return n*r.o.Measures/r.steps > (n-1)*r.o.Measures/r.steps
}

// batch are the pairs of a step. Every epoch has its own order.
func (r *run) batch(n int) []lesson {
	epoch, at := (n-1)/r.perEpoch(), (n-1)%r.perEpoch()
	rng := rand.New(rand.NewPCG(train.Derive(r.o.Seed, forOrder, epoch), 0)) // it decides an order
	order := rng.Perm(len(r.lessons))
	var out []lesson
	for _, i := range order[at*r.o.Batch : min(len(order), (at+1)*r.o.Batch)] {
		out = append(out, r.lessons[i])
	}
	return out
}

// keep records a step and, now and then, saves all that the next one depends on.
func (r *run) keep(s runfile.TrainingStep) error {
	if err := r.dir.Record(s); err != nil {
		return err
	}
	if s.Step%saveEvery != 0 && s.Step != r.steps {
		return nil
	}
	state, err := train.Snapshot(s.Step, r.adapter.Params(), r.learner.optimizer, r.progress)
	if err != nil {
		return err
	}
	return r.dir.Save(state)
}

func (r *run) path(name string) string { return r.dir.Dir().File(name) }

// outcome says what there is when the loop has ended, and saves the adapter of a run that came to its end.
func (r *run) outcome(end string, err error) (Outcome, error) {
	out := Outcome{Dir: r.dir.Dir().Path(), Options: r.o, Pairs: len(r.lessons), Steps: r.dir.Steps(), End: end, Alarms: r.progress.Alarms}
	if end != EndSteps {
		return out, err
	}
	out.Adapter = r.adapter
	return out, checkpoint.WriteAdapter(r.path(train.AdapterName), r.adapter, r.c.Set.policy.Model, filepath.Join("..", train.BaseName))
}

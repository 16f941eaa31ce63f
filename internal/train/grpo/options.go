package grpo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Options decide a run: with the base model and the environment they give its weights. They are saved in run.json.
type Options struct {
	// Environment is its name, for the record. Defaults to the environment's own.
	Environment string `json:"environment"`
	train.TaskChoice

	// Steps is how many updates the run has. Defaults to 100.
	Steps int `json:"steps"`
	// Tasks is how many tasks a step plays. Defaults to 16.
	Tasks int `json:"tasks"`
	// Group is how often each is played. Defaults to 8.
	Group int `json:"group"`
	// Refill is how many further tasks a step may play in the place of those whose rollouts all earned the same; -1 for
	// none. Defaults to a quarter of Tasks.
	Refill int `json:"refill"`
	// MaxTurns bounds a rollout's turns, held-out ones not. Defaults to the environment's own.
	MaxTurns int `json:"max_turns,omitempty"`
	// MaxCell bounds what is written in a turn, in tokens. Defaults to the sampler's own.
	MaxCell int `json:"max_cell,omitempty"`
	// Temperature is what rollouts are sampled at. Defaults to 1.
	Temperature float64 `json:"temperature"`

	// Advantage is one of Advantages. Defaults to AdvantageStd.
	Advantage string `json:"advantage"`
	// ClipLow and ClipHigh are how far a token's probability may fall and rise in a step, relative to what it was sampled
	// with. Default to 0.2 and 0.28.
	ClipLow  float64 `json:"clip_low"`
	ClipHigh float64 `json:"clip_high"`
	// KL is the coefficient of the divergence from the base model. Defaults to 0: no pull.
	KL float64 `json:"kl"`
	// Entropy is the coefficient of the bonus for uncertainty. Defaults to 0: none.
	Entropy float64 `json:"entropy"`
	// Minibatches is how many updates of the weights a step makes, each from its share of the groups. Defaults to 1.
	Minibatches int `json:"minibatches"`
	train.Adapter
	// LR is the learning rate after Warmup steps of its rise. Default to 1e-3 and 5.
	LR     float64 `json:"lr"`
	Warmup int     `json:"warmup"`
	// MaxNorm bounds the length of a gradient. Defaults to 1.
	MaxNorm float64 `json:"max_norm"`

	// Heldout is how many held-out rollouts measure the policy, one a task. Defaults to 64.
	Heldout int `json:"heldout"`
	// HeldoutEvery is how many steps lie between two measurements; there is one before the first step and one after the
	// last. Defaults to 10.
	HeldoutEvery int `json:"heldout_every"`
	// HeldoutTemperature is what they are sampled at. Defaults to 0.7.
	HeldoutTemperature float64 `json:"heldout_temperature"`

	// Patience is how many measurements in a row may bring no better policy before the run ends. Defaults to no end.
	Patience int `json:"patience,omitempty"`
	// MaxKL is the divergence from the base, in nats a token, above which the run is stopped. Defaults to 2.
	MaxKL float64 `json:"max_kl"`
	// MinEntropy is the entropy, in nats a token, below which the run is stopped: nothing is tried any more. Defaults to
	// 0.002.
	MinEntropy float64 `json:"min_entropy"`
	// Barren is after how many steps in a row without any reward the run is stopped. Defaults to 10.
	Barren int `json:"barren"`
}

// Config is what a run takes from the program around it. Environment, Sandbox and Policy must be given.
type Config struct {
	train.Program
	Environment env.Environment
	// Sandbox runs the cells. An environment of the tests' own may have none.
	Sandbox rlm.Sandbox
	// Policy is the base: the model that learns through an adapter and stays itself unchanged.
	Policy nano.Policy
	// Out is the run's directory. A training that an earlier execution left there is continued.
	Out string
	// Concurrency is how many rollouts are in progress at once on this machine. Defaults to 64.
	Concurrency int
	// Elsewhere are other machines that play the rollouts. Defaults to none: they are played here, in Sandbox.
	Elsewhere *Machines
	// Opened is told of the run's directory; what it returns is called before that is closed. Defaults to nothing.
	Opened func(*rundir.Dir) (closing func())
	// Observe is called after every step; it must be quick. Defaults to nothing.
	Observe func(runfile.TrainingStep)
	// Played is called within a step after every rollout, from many goroutines, one at a time.
	// Defaults to nothing.
	Played func(done, total int)
}

// Smoke is the recipe that shows in a minute or two that everything works. It samples at 0.8: a policy of few lessons
// breaks a third of its cells at 1, and what it learns there, at first, is to try again.
func Smoke() Options {
	return Options{Steps: 20, Tasks: 8, Group: 6, Refill: -1, Temperature: 0.8, KL: 0.01, Minibatches: 2, Heldout: 32, HeldoutEvery: 10}
}

// Full is the recipe whose result is worth keeping: 100 steps of 128 rollouts. It bounds the turns to those that the
// rubric holds to be free: with twenty of them a rollout earns as much by trying again as by writing what runs, and what
// it then tries is what is learnt. A larger bonus for entropy does the same harm.
func Full() Options {
	return Options{MaxTurns: 8, KL: 0.01, Entropy: 0.0001, Minibatches: 4, Refill: 4}
}

func (o Options) withDefaults(e env.Environment) Options {
	o.Environment = cmp.Or(o.Environment, e.Name())
	o.Steps = cmp.Or(o.Steps, 100)
	o.Tasks = cmp.Or(o.Tasks, 16)
	o.Group = cmp.Or(o.Group, 8)
	o.Refill = cmp.Or(o.Refill, max(1, o.Tasks/4))
	o.Refill = max(0, o.Refill)
	o.Temperature = cmp.Or(o.Temperature, 1)
	o.Advantage = cmp.Or(o.Advantage, AdvantageStd)
	o.ClipLow = cmp.Or(o.ClipLow, 0.2)
	o.ClipHigh = cmp.Or(o.ClipHigh, 0.28)
	o.Minibatches = cmp.Or(o.Minibatches, 1)
	o.Adapter = o.Adapter.WithDefaults()
	o.LR = cmp.Or(o.LR, 1e-3)
	o.Warmup = cmp.Or(o.Warmup, 5)
	o.MaxNorm = cmp.Or(o.MaxNorm, 1)
	o.Heldout = cmp.Or(o.Heldout, 64)
	o.HeldoutEvery = cmp.Or(o.HeldoutEvery, 10)
	o.HeldoutTemperature = cmp.Or(o.HeldoutTemperature, nano.DefaultTemperature)
	o.MaxKL = cmp.Or(o.MaxKL, 2)
	o.MinEntropy = cmp.Or(o.MinEntropy, 0.002)
	o.Barren = cmp.Or(o.Barren, 10)
	return o
}

// Check says why options cannot be trained with, before anything is done.
func (o Options) Check(e env.Environment) error { return o.withDefaults(e).check(e) }

// Bounds of what is counted: far above what a machine does in a year, and low enough that no product of them overflows
// and no stranger's plan takes all memory.
const (
	most         = 10_000_000
	mostRollouts = 1_000_000 // of a step, and of a measurement
)

// check refuses what cannot be trained. The defaults are filled in.
func (o Options) check(e env.Environment) error {
	count := train.CheckCount
	if err := cmp.Or(
		count("steps", o.Steps, most), count("tasks a step", o.Tasks, mostRollouts), count("rollouts a task", o.Group, mostRollouts),
		count("minibatches", o.Minibatches, most), count("rank", o.Rank, transformer.MaxRank), count("warmup", o.Warmup, most),
		count("held-out rollouts", o.Heldout, mostRollouts), count("steps between measurements", o.HeldoutEvery, most),
		count("barren steps", o.Barren, most),
	); err != nil {
		return err
	}
	if o.Refill > mostRollouts || (o.Tasks+o.Refill)*o.Group > mostRollouts {
		return hint.Wrap(fmt.Errorf("%d tasks, %d in their place and %d rollouts each are more than %d rollouts a step", o.Tasks, o.Refill,
			o.Group, mostRollouts), "")
	}
	if o.Group < 2 {
		return hint.Wrap(fmt.Errorf("a group of %d has nothing to compare", o.Group), "two rollouts a task or more")
	}
	if o.MaxTurns < 0 || o.MaxCell < 0 || o.Files < 0 || o.Patience < 0 {
		return hint.New("turns, tokens of a cell, files and patience cannot be negative", "")
	}
	if o.Minibatches > o.Tasks {
		return hint.Wrap(fmt.Errorf("%d tasks do not make %d minibatches", o.Tasks, o.Minibatches),
			"a minibatch holds whole groups: have at most as many as tasks a step")
	}
	if !slices.Contains(Advantages(), o.Advantage) {
		return hint.Wrap(fmt.Errorf("no advantage %q", o.Advantage), "use "+strings.Join(Advantages(), ", "))
	}
	amount := train.CheckAmount
	if err := cmp.Or(
		amount("temperature", o.Temperature, 2), amount("held-out temperature", o.HeldoutTemperature, 2),
		amount("lower clip", o.ClipLow, 1), amount("upper clip", o.ClipHigh, 10), amount("learning rate", o.LR, 1),
		amount("largest gradient", o.MaxNorm, 1e6), amount("alpha", o.Alpha, 1e6), amount("largest KL", o.MaxKL, 1e6),
	); err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"KL coefficient", o.KL}, {"entropy coefficient", o.Entropy}, {"least entropy", o.MinEntropy}} {
		if !(f.value >= 0 && f.value <= 10) {
			return hint.Wrap(fmt.Errorf("the %s %g is not between 0 and 10", f.name, f.value), "")
		}
	}
	if splits := e.About().Splits; len(splits) > 0 && !slices.Contains(splits, env.Train) {
		return hint.Wrap(fmt.Errorf("%s has no split %q to train on", e.Name(), env.Train), "its splits are "+strings.Join(splits, ", "))
	}
	return nil
}

// usualConcurrency is how many rollouts one machine has in progress at once.
const usualConcurrency = 64

func (c Config) withDefaults() Config {
	c.Program = c.Program.WithDefaults()
	c.Concurrency = cmp.Or(c.Concurrency, usualConcurrency)
	if c.Opened == nil {
		c.Opened = func(*rundir.Dir) func() { return func() {} }
	}
	if c.Observe == nil {
		c.Observe = func(runfile.TrainingStep) {}
	}
	if c.Played == nil {
		c.Played = func(int, int) {}
	}
	return c
}

package dpo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Options decide a run: with its pairs and the base model they give its weights. They are saved in run.json.
type Options struct {
	// Seed decides the adapter's first weights and the order of the pairs. Defaults to 0.
	Seed int64 `json:"seed"`
	// Beta is how hard the policy is held at its reference: the smaller, the further it may go. Defaults to 0.1, with
	// NormLength to 5.
	Beta float64 `json:"beta"`
	// Norm is one of Norms. Defaults to NormNone.
	Norm string `json:"norm"`
	// SFT is the weight of the term that holds the chosen side's log-probability up. Defaults to 0: none.
	SFT float64 `json:"sft"`
	// Epochs is how often each pair is learnt. Defaults to 2.
	Epochs int `json:"epochs"`
	// Steps is how many updates the run has, however often that takes it through the pairs. Defaults to what Epochs give.
	Steps int `json:"steps,omitempty"`
	// Batch is how many pairs make a step. Defaults to 16.
	Batch int `json:"batch"`
	// LR is the learning rate at its peak, after a tenth of the steps; from there it falls in a line to a tenth. Defaults
	// to 5e-4.
	LR float64 `json:"lr"`
	train.Adapter
	// MaxNorm bounds the length of a gradient. Defaults to 1.
	MaxNorm float64 `json:"max_norm"`
	// Measures is how often the held-out pairs are measured, spread over the run, the last time at its end. Defaults to 4.
	Measures int `json:"measures"`
	// Window is over how many steps the running mean of the loss goes that raises an alarm above ln 2. Defaults to 10.
	Window int `json:"window"`
	// MaxFall is by how much the chosen side may become less likely than under the reference, in nats a token, before an
	// alarm is raised, MaxDrift before the run is stopped. Default to 0.1 and 2.
	MaxFall  float64 `json:"max_fall"`
	MaxDrift float64 `json:"max_drift"`
}

// Config is what a run takes from the program around it.
type Config struct {
	train.Program
	// Set are the pairs, and the model that learns from them through an adapter. It must be given.
	Set *Set
	// Pairs is how many of the set's pairs are learnt, from its beginning. Defaults to all.
	Pairs int
	// Out is the run's directory. A training that an earlier execution left there is continued. Defaults to a new one.
	Out string
	// Observe is called after every step, with the number of steps; it must be quick. Default: none.
	Observe func(s runfile.TrainingStep, steps int)
}

// Pool says which rollouts are played to make pairs of.
type Pool struct {
	train.TaskChoice
	// Pairs is how many there are to be to learn from, Heldout how many to measure. Default to 2,000 and 64.
	Pairs   int `json:"pairs"`
	Heldout int `json:"heldout"`
	// Group is how often a task is played. Defaults to 8.
	Group int `json:"group"`
	// PerTask is how many pairs a task gives at most. Defaults to half of Group.
	PerTask int `json:"per_task"`
	// Gap is how much more the chosen side of a pair earns at least. Defaults to 0.1.
	Gap float64 `json:"gap"`
	// MaxTasks is after how many tasks the pool ends though there are not pairs enough. Defaults to as many as Pairs.
	MaxTasks int `json:"max_tasks"`
	// Temperature is what rollouts are sampled at. Defaults to 1.
	Temperature float64 `json:"temperature"`
	// MaxTurns bounds a rollout's turns. Defaults to the environment's own.
	MaxTurns int `json:"max_turns,omitempty"`
	// MaxCell bounds what is written in a turn, in tokens. Defaults to the sampler's own.
	MaxCell int `json:"max_cell,omitempty"`
	// MaxTokens is the length of the longest rollout that goes into a pair. Defaults to 4,096.
	MaxTokens int `json:"max_tokens"`
}

// PoolConfig is what a pool takes from the program around it. Environment, Policy and Out must be given.
type PoolConfig struct {
	train.Program
	Environment env.Environment
	// Sandbox runs the cells. An environment of the tests' own may have none.
	Sandbox rlm.Sandbox
	// Policy plays.
	Policy nano.Policy
	// Out is the pool's directory. A pool that an earlier execution left there is continued.
	Out string
	// Concurrency is how many rollouts are in progress at once. Defaults to 128.
	Concurrency int
	// Observe gets the number of pairs, of how many wanted, and the mean reward of so many rollouts. Defaults to
	// nothing.
	Observe func(done, total int, reward float64, rollouts int)
}

func (o Options) withDefaults() Options {
	o.Norm = cmp.Or(o.Norm, NormNone)
	if o.Norm == NormLength {
		o.Beta = cmp.Or(o.Beta, 5)
	}
	o.Beta = cmp.Or(o.Beta, 0.1)
	o.Epochs = cmp.Or(o.Epochs, 2)
	o.Batch = cmp.Or(o.Batch, 16)
	o.LR = cmp.Or(o.LR, 5e-4)
	o.Adapter = o.Adapter.WithDefaults()
	o.MaxNorm = cmp.Or(o.MaxNorm, 1)
	o.Measures = cmp.Or(o.Measures, 4)
	o.Window = cmp.Or(o.Window, 10)
	o.MaxFall = cmp.Or(o.MaxFall, 0.1)
	o.MaxDrift = cmp.Or(o.MaxDrift, 2)
	return o
}

// Check refuses what cannot be trained.
func (o Options) Check() error {
	o = o.withDefaults()
	if !slices.Contains(Norms(), o.Norm) {
		return hint.Wrap(fmt.Errorf("no norm %q", o.Norm), "use "+strings.Join(Norms(), " or "))
	}
	count := train.CheckCount
	if err := cmp.Or(
		count("epochs", o.Epochs, 1000), count("pairs a step", o.Batch, 100_000), count("rank", o.Rank, 256),
		count("measurements", o.Measures, 1_000_000), count("steps of the running mean", o.Window, 1_000_000),
	); err != nil {
		return err
	}
	amount := train.CheckAmount
	if err := cmp.Or(
		amount("beta", o.Beta, 1000), amount("learning rate", o.LR, 1), amount("alpha", o.Alpha, 1e6),
		amount("largest gradient", o.MaxNorm, 1e6), amount("largest fall", o.MaxFall, 1e6), amount("largest drift", o.MaxDrift, 1e6),
	); err != nil {
		return err
	}
	if o.Steps < 0 {
		return hint.Wrap(fmt.Errorf("steps: %d is less than 1", o.Steps), "")
	}
	if !(o.SFT >= 0 && o.SFT <= 100) {
		return hint.Wrap(fmt.Errorf("the weight of the sft term %g is not between 0 and 100", o.SFT), "")
	}
	return nil
}

func (o Pool) withDefaults() Pool {
	o.Pairs = cmp.Or(o.Pairs, 2000)
	o.Heldout = cmp.Or(o.Heldout, 64)
	o.Group = cmp.Or(o.Group, 8)
	o.PerTask = cmp.Or(o.PerTask, max(1, o.Group/2))
	o.Gap = cmp.Or(o.Gap, 0.1)
	o.MaxTasks = cmp.Or(o.MaxTasks, max(64, o.Pairs))
	o.Temperature = cmp.Or(o.Temperature, 1)
	o.MaxTokens = cmp.Or(o.MaxTokens, 4096)
	return o
}

// Check refuses what cannot be played.
func (o Pool) Check() error {
	o = o.withDefaults()
	for _, f := range []struct {
		name        string
		value, from int
	}{{"pairs", o.Pairs, 1}, {"held-out pairs", o.Heldout, 1}, {"rollouts of a task", o.Group, 2}, {"pairs of a task", o.PerTask, 1},
		{"tasks", o.MaxTasks, 1},
		{"turns", o.MaxTurns, 0}, {"tokens of a cell", o.MaxCell, 0}, {"files", o.Files, 0}, {"tokens of a rollout", o.MaxTokens, 2}} {
		if f.value < f.from || f.value > 10_000_000 {
			return hint.Wrap(fmt.Errorf("%s: %d is less than %d, or more than ten million", f.name, f.value, f.from), "")
		}
	}
	if !(o.Gap > 0 && o.Gap <= 1) {
		return hint.Wrap(fmt.Errorf("the gap %g is not between 0 and 1", o.Gap), "rewards go from 0 to 1, and a pair needs a difference")
	}
	if !(o.Temperature > 0 && o.Temperature <= 2) {
		return hint.Wrap(fmt.Errorf("the temperature %g is not between 0 and 2", o.Temperature), "")
	}
	return nil
}

func (c Config) withDefaults() Config {
	c.Program = c.Program.WithDefaults()
	if c.Pairs <= 0 || c.Pairs > len(c.Set.learn) {
		c.Pairs = len(c.Set.learn)
	}
	if c.Observe == nil {
		c.Observe = func(runfile.TrainingStep, int) {}
	}
	return c
}

func (c PoolConfig) withDefaults() PoolConfig {
	c.Program = c.Program.WithDefaults()
	c.Concurrency = cmp.Or(c.Concurrency, 128)
	if c.Observe == nil {
		c.Observe = func(int, int, float64, int) {}
	}
	return c
}

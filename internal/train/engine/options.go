package engine

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
)

// Names of the engines.
const (
	TRL     = "trl"
	PrimeRL = "prime-rl"
	Verl    = "verl"
	Tinker  = "tinker"
)

// Names of the methods.
const (
	GRPO = "grpo"
	DPO  = "dpo"
)

// Names lists the engines.
func Names() []string { return []string{TRL, PrimeRL, Verl, Tinker} }

// DefaultURL is where `deeprepo env serve ENV --no-token` answers.
const DefaultURL = "http://127.0.0.1:8000"

// Options say what an engine should train, and how. Their JSON is part of a run's manifest.
type Options struct {
	// Engine is one of Names. It must be given.
	Engine string `json:"engine"`
	// Method is GRPO or DPO. Defaults to GRPO.
	Method string `json:"method"`
	// Model is the base: a directory in Hugging Face's layout, or a name on its hub (for Tinker: on theirs). It must be given.
	Model string `json:"model"`

	// Environment is trained in, by GRPO. Defaults to orchestration.
	Environment string `json:"environment,omitempty"`
	// Split, Difficulty and Seed choose its tasks. They default to train, the environment's own, and 0.
	Split      string `json:"split,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Seed       int64  `json:"seed"`
	// Worker answers dispatches, as `deeprepo env serve --worker` takes it. Defaults to sim.
	Worker string `json:"worker,omitempty"`
	// MaxTurns bounds a rollout. Defaults to the environment's own.
	MaxTurns int `json:"max_turns,omitempty"`
	// Tasks is how many different ones there are. Defaults to 512.
	Tasks int `json:"tasks,omitempty"`
	// TasksPerStep groups of Group rollouts each make a step. They default to 16 and 8.
	TasksPerStep int `json:"tasks_per_step,omitempty"`
	Group        int `json:"group,omitempty"`
	// MaxTokens bounds a reply, Context a conversation. They default to 2048 and 16384 tokens.
	MaxTokens int `json:"max_tokens,omitempty"`
	Context   int `json:"context"`
	// Temperature is that of sampling. Defaults to 1.
	Temperature float64 `json:"temperature,omitempty"`

	// Pairs is a directory that `deeprepo pairs build` has made, for DPO.
	Pairs string `json:"pairs,omitempty"`
	// Batch is how many pairs make a step. Defaults to 16.
	Batch int `json:"batch,omitempty"`

	// Steps is how many updates there are. Defaults to 100 by GRPO, and to one pass over the pairs by DPO.
	Steps int `json:"steps"`
	// LR is the learning rate. Defaults to 2e-5 by GRPO and 1e-5 by DPO: about ten times what training all weights takes.
	LR float64 `json:"lr"`
	// Beta is how strongly the model is held to the base: the coefficient of the divergence by GRPO, DPO's own beta by DPO.
	// Defaults to 0 by GRPO, and to 0.1 by DPO.
	Beta float64 `json:"beta"`
	// Rank and Alpha are the adapter's. They default to 16 and twice the rank.
	Rank  int     `json:"rank"`
	Alpha float64 `json:"alpha"`
	// Micro is how many sequences go through the model at once. Defaults to 1.
	Micro int `json:"micro"`
	// SaveEvery is how many steps lie between two checkpoints. Defaults to 10.
	SaveEvery int `json:"save_every"`
	// GPUs is how many there are for prime-rl and verl. Defaults to 2 for prime-rl, one for the trainer and one for the
	// sampler, and to 1 for verl.
	GPUs int `json:"gpus,omitempty"`
	// Renderer is what Tinker calls the model's chat template. Defaults to the one it recommends.
	Renderer string `json:"renderer,omitempty"`
	// Name is the adapter's, the part behind the colon of model:adapter. Defaults to deeprepo.
	Name string `json:"name"`
}

// WithDefaults fills in what is left out.
func (o Options) WithDefaults() Options {
	o.Method = cmp.Or(o.Method, GRPO)
	o.Name = cmp.Or(o.Name, "deeprepo")
	o.Rank = cmp.Or(o.Rank, 16)
	o.Alpha = cmp.Or(o.Alpha, float64(2*o.Rank))
	o.Micro = cmp.Or(o.Micro, 1)
	o.SaveEvery = cmp.Or(o.SaveEvery, 10)
	o.Context = cmp.Or(o.Context, 16384)
	if o.Method == DPO {
		o.Batch = cmp.Or(o.Batch, 16)
		o.LR = cmp.Or(o.LR, 1e-5)
		o.Beta = cmp.Or(o.Beta, .1)
		return o
	}
	o.Environment = cmp.Or(o.Environment, "orchestration")
	o.Split = cmp.Or(o.Split, env.Train)
	o.Worker = cmp.Or(o.Worker, env.WorkerSim)
	o.Tasks = cmp.Or(o.Tasks, 512)
	o.TasksPerStep = cmp.Or(o.TasksPerStep, 16)
	o.Group = cmp.Or(o.Group, 8)
	o.MaxTokens = cmp.Or(o.MaxTokens, 2048)
	o.Temperature = cmp.Or(o.Temperature, 1)
	o.Steps = cmp.Or(o.Steps, 100)
	o.LR = cmp.Or(o.LR, 2e-5)
	switch o.Engine {
	case PrimeRL:
		o.GPUs = cmp.Or(o.GPUs, 2)
	case Verl:
		o.GPUs = cmp.Or(o.GPUs, 1)
	}
	return o
}

// check says what is wrong with options that have their defaults.
func (o Options) check() error {
	if !slices.Contains(Names(), o.Engine) {
		return hint.Wrap(fmt.Errorf("there is no engine %q", o.Engine), "the engines are "+strings.Join(Names(), ", "))
	}
	if o.Method != GRPO && o.Method != DPO {
		return hint.Wrap(fmt.Errorf("there is no method %q for an engine", o.Method), "the methods are grpo and dpo")
	}
	if o.Method == DPO && o.Engine != TRL && o.Engine != Tinker {
		return hint.Wrap(fmt.Errorf("%s has no preference training", o.Engine), "--engine trl or tinker")
	}
	if o.Model == "" {
		return hint.Wrap(fmt.Errorf("%s needs a model to train", o.Engine),
			"--model with a directory in Hugging Face's layout, or a name on its hub")
	}
	if o.Method == DPO && o.Pairs == "" {
		return hint.Wrap(fmt.Errorf("there are no pairs to train on"), "--pairs with a directory that deeprepo pairs build has made")
	}
	for _, text := range []string{o.Model, o.Environment, o.Split, o.Difficulty, o.Worker, o.Pairs, o.Renderer, o.Name} {
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("%q holds a control character", text)
		}
	}
	if strings.ContainsAny(o.Name, ":/\\ ") || strings.HasPrefix(o.Name, "-") {
		return hint.Wrap(fmt.Errorf("%q is no name of an adapter", o.Name), "it stands behind a colon: letters, digits, dashes and dots")
	}
	if o.Method == GRPO && o.Group < 2 {
		return fmt.Errorf("a group of %d has no advantages", o.Group)
	}
	for name, n := range map[string]int{"rank": o.Rank, "micro": o.Micro, "tasks": o.Tasks, "tasks_per_step": o.TasksPerStep, "batch": o.Batch,
		"steps": o.Steps, "save_every": o.SaveEvery, "max_tokens": o.MaxTokens, "context": o.Context, "gpus": o.GPUs, "max_turns": o.MaxTurns} {
		if n < 0 {
			return fmt.Errorf("%s is %d", name, n)
		}
	}
	if size := o.TasksPerStep * o.Group; o.Method == GRPO && size%o.Micro != 0 {
		return fmt.Errorf("a step has %d rollouts, which micro %d does not divide", size, o.Micro)
	}
	if o.Method == DPO && o.Batch%o.Micro != 0 {
		return fmt.Errorf("a step has %d pairs, which micro %d does not divide", o.Batch, o.Micro)
	}
	if o.Method == GRPO && o.MaxTokens >= o.Context {
		return fmt.Errorf("a reply of %d tokens leaves no room in a context of %d", o.MaxTokens, o.Context)
	}
	return nil
}

// rooted makes paths of this machine absolute: an engine may run in another directory. A name on a hub stays as it is.
func (o Options) rooted() (Options, error) {
	var err error
	if o.Pairs != "" {
		if o.Pairs, err = filepath.Abs(o.Pairs); err != nil {
			return o, err
		}
	}
	if isModel(o.Model) {
		o.Model, err = filepath.Abs(o.Model)
	}
	return o, err
}

// batch is how many rollouts a step has.
func (o Options) batch() int { return o.TasksPerStep * o.Group }

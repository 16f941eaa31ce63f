package sft

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Sizes of the model.
const (
	Tiny   = "tiny"
	Small  = "small"
	Medium = "medium"
	Large  = "large"
)

// Sizes lists them.
func Sizes() []string { return []string{Tiny, Small, Medium, Large} }

// Shape is the model of a size, whose vocabulary is still to be set; false if there is none of that name.
func Shape(size string) (transformer.Config, bool) {
	switch size {
	case Tiny:
		return transformer.Tiny(), true
	case Small:
		return transformer.Small(), true
	case Medium:
		return transformer.Medium(), true
	case Large:
		return transformer.Large(), true
	}
	return transformer.Config{}, false
}

// Options decide a run: with the demonstrations they give its weights. They are saved in run.json.
type Options struct {
	// Size is one of Sizes. Defaults to Small.
	Size string `json:"size"`
	// Seed decides the demonstrations, the first weights and the order of the lessons. Defaults to 0.
	Seed int64 `json:"seed"`
	// Episodes is how many demonstrations are collected, where none are given. Defaults to 2,000.
	Episodes int `json:"episodes"`
	// Difficulties are those of the tasks they are played on, in turn. Default to easy.
	Difficulties []string `json:"difficulties"`
	// MinReward leaves out demonstrations that earned less. Defaults to 0: all are learnt from.
	MinReward float64 `json:"min_reward,omitempty"`
	// Rank is that of an adapter, which is trained in the place of all weights and then merged into them. Defaults to 16 for a
	// base of more than 16 million parameters, and to 0 for others: all weights are trained.
	Rank int `json:"rank,omitempty"`
	// Vocab is the size of the vocabulary, at most. Defaults to 1,024.
	Vocab int `json:"vocab"`
	// Tokens is how many tokens the model reads in all. Defaults to 3 million.
	Tokens int `json:"tokens"`
	// Batch is how many episodes make a step. Defaults to 8.
	Batch int `json:"batch"`
	// LR is the learning rate at its peak, after Warmup steps; from there it falls to a tenth. Default to 3e-3, with an adapter
	// 5e-4, and 30.
	LR     float64 `json:"lr"`
	Warmup int     `json:"warmup"`
	// Decay is AdamW's. Defaults to 0.01.
	Decay float64 `json:"decay"`
	// MaxNorm bounds the length of a gradient. Defaults to 1.
	MaxNorm float64 `json:"max_norm"`
	// ViewWeight is the weight of a view's token, relative to one that the policy wrote. Defaults to 0.1.
	ViewWeight float64 `json:"view_weight"`
	// Heldout is how many of the demonstrations are kept for measuring: all those of some tasks, the last ones. Defaults
	// to 64.
	Heldout int `json:"heldout"`
	// HeldoutEvery is how many steps lie between two measurements. Defaults to 100.
	HeldoutEvery int `json:"heldout_every"`
	// SaveEvery is how many steps lie between two checkpoints. Defaults to 100.
	SaveEvery int `json:"save_every"`
	// Patience is after how many steps in a row with a loss above that of the first the run is stopped. Defaults to 50.
	Patience int `json:"patience"`
}

// Smoke is the recipe that shows in a minute that everything works.
func Smoke() Options { return Options{Episodes: 600, Tokens: 600_000, HeldoutEvery: 50} }

// Full is the recipe whose result is worth keeping. A quarter of its tasks is larger than those of the small recipe, so
// that the model has seen more than one size.
func Full() Options {
	return Options{Difficulties: []string{env.Easy, env.Easy, env.Easy, env.Medium}}
}

// Config is what a run takes from the program around it.
type Config struct {
	train.Program
	// Environment and Sandbox are what demonstrations are collected with. They must be given unless Demonstrations is.
	Environment env.Environment
	Sandbox     rlm.Sandbox
	// Demonstrations is a file to learn from in the place of new ones, an episode a line. Defaults to none.
	Demonstrations string
	// Base is a model to start from, with its tokenizer. Defaults to a new one of Options' size and vocabulary.
	Base *nano.Policy
	// Out is the run's directory. A training that an earlier execution left there is continued.
	Out string
	// Observe is called after every step; it must be quick. Defaults to nothing.
	Observe func(p Progress)
	// Played is called for every collected demonstration. Defaults to nothing.
	Played func(done, total int)
}

// Progress is a step and where it stands.
type Progress struct {
	runfile.TrainingStep
	Steps int // of the whole run
}

// over fills in what depends on the base, nil for a new model.
func (o Options) over(base *nano.Policy) Options {
	if base != nil && base.Model.Config.BeyondCache() {
		o.Rank = cmp.Or(o.Rank, 16)
	}
	return o.withDefaults()
}

func (o Options) withDefaults() Options {
	o.Size = cmp.Or(o.Size, Small)
	o.Episodes = cmp.Or(o.Episodes, 2000)
	if len(o.Difficulties) == 0 {
		o.Difficulties = []string{env.Easy}
	}
	o.Vocab = cmp.Or(o.Vocab, 1024)
	o.Tokens = cmp.Or(o.Tokens, 3_000_000)
	o.Batch = cmp.Or(o.Batch, 8)
	if o.Rank > 0 {
		o.LR = cmp.Or(o.LR, 5e-4)
	}
	o.LR = cmp.Or(o.LR, 3e-3)
	o.Warmup = cmp.Or(o.Warmup, 30)
	o.Decay = cmp.Or(o.Decay, 0.01)
	o.MaxNorm = cmp.Or(o.MaxNorm, 1)
	o.ViewWeight = cmp.Or(o.ViewWeight, 0.1)
	o.Heldout = cmp.Or(o.Heldout, 64)
	o.HeldoutEvery = cmp.Or(o.HeldoutEvery, 100)
	o.SaveEvery = cmp.Or(o.SaveEvery, 100)
	o.Patience = cmp.Or(o.Patience, 50)
	return o
}

// Check says why options cannot be trained with, before anything is done.
func (o Options) Check() error { return o.withDefaults().check() }

// Bounds of what is counted: more is never wanted, and would take all memory before the first step.
const (
	mostEpisodes = 1_000_000
	mostTokens   = 2_000_000_000
)

// check refuses what cannot be trained. The defaults are filled in.
func (o Options) check() error {
	if _, ok := Shape(o.Size); !ok {
		return hint.Wrap(fmt.Errorf("no model size %q", o.Size), fmt.Sprintf("use one of %v", Sizes()))
	}
	count := train.CheckCount
	if err := cmp.Or(
		count("episodes", o.Episodes, mostEpisodes), count("tokens", o.Tokens, mostTokens), count("batch", o.Batch, mostEpisodes),
		count("warmup", o.Warmup, mostTokens), count("held-out demonstrations", o.Heldout, mostEpisodes),
		count("steps between measurements", o.HeldoutEvery, mostTokens), count("steps between checkpoints", o.SaveEvery, mostTokens),
		count("patience", o.Patience, mostTokens),
	); err != nil {
		return err
	}
	if o.Rank < 0 || o.Rank > transformer.MaxRank {
		return fmt.Errorf("the rank %d is not from 0 to %d", o.Rank, transformer.MaxRank)
	}
	for _, d := range o.Difficulties {
		if all := []string{env.Easy, env.Medium, env.Hard}; !slices.Contains(all, d) {
			return hint.Wrap(fmt.Errorf("no difficulty %q", d), fmt.Sprintf("use some of %v", all))
		}
	}
	for _, f := range []struct {
		name     string
		value    float64
		from, to float64
	}{{"learning rate", o.LR, 1e-9, 1}, {"weight decay", o.Decay, 0, 1}, {"largest gradient", o.MaxNorm, 1e-9, 1e6},
		{"weight of views", o.ViewWeight, 0, 1}, {"least reward", o.MinReward, 0, 1}} {
		if !(f.value >= f.from && f.value <= f.to) {
			return fmt.Errorf("the %s %g is not from %g to %g", f.name, f.value, f.from, f.to)
		}
	}
	return nil
}

func (c Config) withDefaults() (Config, error) {
	if c.Demonstrations == "" && (c.Environment == nil || c.Sandbox == nil) {
		return c, errors.New("sft: there are neither demonstrations nor an environment and a sandbox to collect them with")
	}
	c.Program = c.Program.WithDefaults()
	if c.Observe == nil {
		c.Observe = func(Progress) {}
	}
	if c.Played == nil {
		c.Played = func(int, int) {}
	}
	return c, nil
}

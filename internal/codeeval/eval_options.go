package codeeval

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// MostSamples is the most samples of one run: they are listed before the first is made.
const MostSamples = 1_000_000

// EvalOptions say what is generated and judged. They are saved in run.json: a resumed run uses them again.
type EvalOptions struct {
	Dataset string `json:"dataset"`
	// Data is a local copy of it. Defaults to the one that is fetched.
	Data string `json:"data,omitempty"`
	// Split, IDs and Limit select the tasks: of one split, of these names, and of what is left the first so many.
	// Default to all.
	Split string   `json:"split,omitempty"`
	IDs   []string `json:"ids,omitempty"`
	Limit int      `json:"limit,omitempty"`
	// Model is provider/model.
	Model string `json:"model"`
	// Prompt is how it is asked. Defaults to what fits the model, which is saved.
	Prompt generate.Mode `json:"prompt"`
	// ShowTests is how many public tests a prompt shows (see generate.Config).
	ShowTests int `json:"show_tests"`
	// Shots is how many solved tasks a few-shot prompt begins with. Defaults to 3.
	Shots int `json:"shots,omitempty"`
	// Samples is how many of each task. Defaults to 1.
	Samples     int      `json:"samples"`
	Temperature float64  `json:"temperature"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        int64    `json:"seed"`
	// MaxTokens caps a reply. Defaults to generate.DefaultMaxTokens.
	MaxTokens int `json:"max_tokens"`
	// Concurrency is how many replies are in progress at once. Defaults to generate.DefaultConcurrency.
	Concurrency int `json:"concurrency"`
	// Workers is how many programs are judged at once. Defaults to verify's own.
	Workers int `json:"workers,omitempty"`
	// Backend and Python are as in VerifyOptions.
	Backend string `json:"backend,omitempty"`
	Python  string `json:"python,omitempty"`
	// Fleet is as in VerifyOptions.
	Fleet string `json:"fleet,omitempty"`
	// AllowInfra gives a headline in spite of samples without a verdict. Defaults to not.
	AllowInfra bool `json:"allow_infra,omitempty"`
	// Budget is the cap on what all samples together may cost. Defaults to none.
	Budget *money.USD `json:"budget_usd,omitempty"`
	// Out is the run's directory. Defaults to a fresh one below runs.
	Out string `json:"-"`
}

// EvalConfig is what a run takes from the program around it: what judging takes, and what generating does. Set, Box and
// Open must be given.
type EvalConfig struct {
	VerifyConfig
	// Open opens the model; its calls are reserved from pool, which is nil without a cap.
	Open func(pool *llm.Budget) (llm.Handle, error)
	// Shots gives solved tasks for few-shot prompts. Defaults to generate's own.
	Shots func() ([]dataset.Task, error)
	// Progress sees how the run goes; it must be quick and safe for concurrent use. Defaults to nothing.
	Progress func(EvalProgress)
}

// check fills in what was left out and refuses what cannot be.
func (o EvalOptions) check(h llm.Handle) (EvalOptions, error) {
	if o.Prompt == "" || o.Prompt == generate.Auto {
		o.Prompt = generate.Pick(h)
	}
	o.Samples, o.MaxTokens = cmp.Or(o.Samples, 1), cmp.Or(o.MaxTokens, generate.DefaultMaxTokens)
	o.Concurrency = cmp.Or(o.Concurrency, generate.DefaultConcurrency)
	if o.Prompt != generate.FewShot {
		o.Shots = 0
	} else {
		o.Shots = cmp.Or(o.Shots, 3)
	}
	switch {
	case o.Samples < 0 || o.MaxTokens < 0 || o.Concurrency < 0 || o.Limit < 0 || o.Shots < 0:
		return o, errors.New("a number is negative")
	case !(o.Temperature >= 0 && o.Temperature <= 2): // no number, too
		return o, hint.Wrap(fmt.Errorf("temperature %v", o.Temperature), "it is between 0 (always the likeliest token) and 2")
	case o.TopP != nil && !(*o.TopP > 0 && *o.TopP <= 1):
		return o, hint.Wrap(fmt.Errorf("top-p %v", *o.TopP), "it is above 0, and at most 1")
	}
	return o, nil
}

// verification is the part of the options that judging takes. Each sample says itself how it is to be read.
func (o EvalOptions) verification() VerifyOptions {
	return VerifyOptions{Dataset: o.Dataset, Data: o.Data, Split: o.Split, IDs: o.IDs, Limit: o.Limit, Workers: o.Workers,
		AllowInfra: o.AllowInfra, Out: o.Out,
		Backend: o.Backend, Python: o.Python, Fleet: o.Fleet}
}

// tasks are those to be done, in the dataset's order, and what tells them from the others, nil if there are none.
func (o EvalOptions) tasks(set *dataset.Set) ([]dataset.Task, func(string) bool, error) {
	selected, err := o.verification().selection(set)
	if err != nil {
		return nil, nil, err
	}
	tasks := set.Tasks
	if selected != nil {
		tasks = slices.DeleteFunc(slices.Clone(tasks), func(t dataset.Task) bool { return !selected(t.ID) })
	}
	if n := len(tasks); n > 0 && o.Samples > MostSamples/n {
		return nil, nil, hint.Wrap(fmt.Errorf("%d tasks, %d samples each: a run has at most %d samples", n, o.Samples, MostSamples),
			"choose fewer with -n, --limit or --ids")
	}
	return tasks, selected, nil
}

// sampler is what generates.
func (o EvalOptions) sampler(h llm.Handle, c EvalConfig, observe func(generate.Progress)) (*generate.Sampler, error) {
	g := generate.Config{Model: h, Mode: o.Prompt, ShowTests: o.ShowTests, N: o.Samples, Temperature: o.Temperature, TopP: o.TopP,
		Seed: o.Seed, MaxTokens: o.MaxTokens, Concurrency: o.Concurrency, Observe: observe, Now: c.Now}
	if o.Shots > 0 && c.Shots != nil {
		shots, err := c.Shots()
		if err != nil {
			return nil, err
		}
		g.Shots = shots[:min(o.Shots, len(shots))]
	}
	return generate.New(g)
}

// fingerprint digests what decides the samples of a run. Concurrency and budget do not, and neither does where the
// dataset lies: what is in it does.
func (o EvalOptions) fingerprint(set *dataset.Set) string {
	o.Concurrency, o.Budget, o.Out, o.Data, o.Workers, o.AllowInfra = 0, nil, "", "", 0, false
	return digest(o, set.Info.Hash)
}

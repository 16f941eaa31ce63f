package recipe

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// concurrency is how many rollouts of a measurement are in progress at once: enough for the sampler to batch.
const concurrency = 64

// measure plays the held-out tasks with the policy in a directory, or continues what an earlier execution played of them.
// name is before or after.
func (r *run) measure(ctx context.Context, name, policy string) (*runfile.EvalSummary, error) {
	r.begin(name)
	m := r.o.Measure
	tasks, split := m.Tasks, train.MeasuredSplit(r.c.Measured)
	if size := r.c.Measured.Size(env.Selection{Split: split, Seed: m.Seed, Language: m.Language, Difficulty: m.Difficulty,
		Files: m.Files}); size > 0 {
		tasks = min(tasks, size)
	}
	out := filepath.Join(r.c.Out, name)
	provider := nano.NewProvider(nano.ProviderConfig{}) // one of its own: nothing else samples from this policy
	defer provider.Close()
	o := eval.Options{Environment: m.Environment, Model: "nano/" + policy, Examples: tasks, Rollouts: m.Rollouts, Split: split, Seed: m.Seed,
		Language: m.Language, Difficulty: m.Difficulty, Files: m.Files, Strategy: env.StrategyRLM, Temperature: &m.Temperature,
		Concurrency: concurrency, Out: out}
	c := eval.Config{Environment: r.c.Measured, Sandbox: r.c.Sandbox, Version: r.c.Version, Now: r.c.Now, Say: r.c.Say,
		Root: func(*llm.Budget) (llm.Handle, error) { return provider.Open(policy) },
		Observe: func(p eval.Progress) {
			r.c.Observe(Progress{Phase: name, Done: p.Done, Total: p.Total, Reward: p.Reward, Counted: p.Counted})
		},
	}
	var done eval.Outcome
	var err error
	if _, lerr := os.Lstat(filepath.Join(out, eval.ManifestName)); errors.Is(lerr, fs.ErrNotExist) {
		done, err = eval.Run(ctx, o, c)
	} else {
		done, err = eval.Resume(ctx, out, nil, func(eval.Options) (eval.Config, error) { return c, nil })
	}
	if err != nil {
		return nil, err
	}
	return &done.Summary, nil
}

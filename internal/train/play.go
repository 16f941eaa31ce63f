package train

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Attempt is what one played episode needs beside its task.
type Attempt struct {
	// Root is the policy. It must be given.
	Root llm.Handle
	// Policy names it in the episode. Defaults to Root's name.
	Policy string
	// Sandbox runs the cells. It must be given.
	Sandbox rlm.Sandbox
	// Seed decides the luck of the simulated workers. Defaults to 0.
	Seed int64
	// MaxTurns bounds the turns. Defaults to the environment's own.
	MaxTurns int
	// Watch sees the rollout's events, one at a time. Defaults to nothing.
	Watch func(trace.Event)
}

// Names of the metrics that Play adds to those of the environment.
const (
	MetricCells        = "cells"         // cells that were run, broken ones included
	MetricSyntaxErrors = "syntax_errors" // cells that were not Python
	MetricCellErrors   = "cell_errors"   // cells that failed in any way, as the environment counts them
)

// notPython are the errors of cells that do not parse.
var notPython = []string{"SyntaxError", "IndentationError", "TabError"}

// Play plays one rollout through the environment's own loop and gives it as its policy lived it. An episode's Segments
// are left to who samples: only a policy of tokens has them. A policy whose model fails is an error, and so is ctx's end.
func Play(ctx context.Context, e env.Environment, t env.Task, a Attempt) (Episode, error) {
	if a.Policy == "" {
		a.Policy = a.Root.Name
	}
	var mu sync.Mutex
	cells, syntax := 0, 0
	watch := func(ev trace.Event) {
		if a.Watch != nil {
			a.Watch(ev)
		}
		if ev.Kind != trace.KindCell || ev.Cell == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		cells++
		if slices.Contains(notPython, ev.Cell.ErrorType) {
			syntax++
		}
	}
	rollout, err := e.Roll(ctx, t, env.Attempt{
		Root:    func(*llm.Budget) (llm.Handle, error) { return a.Root, nil },
		Sandbox: a.Sandbox, Seed: a.Seed, MaxTurns: a.MaxTurns, Trace: trace.NewWriter(trace.Discard, 0, time.Now, watch),
	})
	if err != nil {
		return Episode{}, fmt.Errorf("play %s: %w", t.ID, err)
	}
	if err := ctx.Err(); err != nil {
		return Episode{}, err
	}
	if rollout.Stop == env.StopError {
		return Episode{}, fmt.Errorf("play %s: the policy failed: %s", t.ID, rollout.Error)
	}
	mu.Lock()
	defer mu.Unlock()
	ep := Episode{Task: t.ID, Policy: a.Policy, Reward: rollout.Reward, Metrics: map[string]float64{}, Turns: rollout.Turns,
		Exchanges: nano.Render(append(slices.Clip(rollout.Prompt), rollout.Completion...))}
	for name, v := range rollout.Metrics {
		ep.Metrics[name] = v
	}
	ep.Metrics[MetricCells], ep.Metrics[MetricSyntaxErrors] = float64(cells), float64(syntax)
	return ep, nil
}

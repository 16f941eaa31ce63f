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

// NotPython reports whether the type of an error is that of a cell that does not parse.
func NotPython(errorType string) bool {
	return slices.Contains([]string{"SyntaxError", "IndentationError", "TabError"}, errorType)
}

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
		if NotPython(ev.Cell.ErrorType) {
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

// Match says what PlayAll plays.
type Match struct {
	Environment env.Environment
	Selection   env.Selection
	Tasks       []int // their indexes in the selection
	Rollouts    int   // of each task
	Concurrency int   // rollouts in progress at once
}

// Played is what the rollouts of a task came to, in their order.
type Played[T any] struct {
	Task     string // env.Task.ID
	Rollouts []T
	Failures []error // of the machine: those rollouts are not in Rollouts
}

// PlayAll plays every task of a match as often as it says: rollout plays the i-th of its tasks, and k says which of the
// task's rollouts that is, both counted from 0. Only the end of ctx and a task that cannot be made are errors.
func PlayAll[T any](ctx context.Context, m Match,
	rollout func(ctx context.Context, t env.Task, i, k int) (T, error)) ([]Played[T], error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]Played[T], len(m.Tasks))
	rollouts, failures := make([]T, len(m.Tasks)*m.Rollouts), make([]error, len(m.Tasks)*m.Rollouts)
	slots := make(chan struct{}, m.Concurrency)
	var wg sync.WaitGroup
	for i, index := range m.Tasks {
		var once sync.Once
		var task env.Task
		for k := range m.Rollouts {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				wg.Wait()
				return nil, context.Cause(ctx)
			}
			wg.Go(func() {
				defer func() { <-slots }()
				once.Do(func() {
					var err error
					if task, err = m.Environment.Task(ctx, m.Selection, index); err != nil {
						cancel(fmt.Errorf("make task %d: %w", index, err))
					}
					out[i].Task = task.ID
				})
				if n := i*m.Rollouts + k; ctx.Err() == nil {
					rollouts[n], failures[n] = rollout(ctx, task, i, k)
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for n := range rollouts {
		p := &out[n/m.Rollouts]
		if failures[n] != nil {
			p.Failures = append(p.Failures, failures[n])
		} else {
			p.Rollouts = append(p.Rollouts, rollouts[n])
		}
	}
	return out, nil
}

package policy

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Row is what one policy earned. Its JSON is one element of `env audit --json`.
type Row struct {
	Name    string    `json:"name"`
	Kind    Kind      `json:"kind"`
	Mean    float64   `json:"mean"`
	Min     float64   `json:"min"`
	Max     float64   `json:"max"`
	About   string    `json:"about"`
	Rewards []float64 `json:"rewards"` // by task
	// Metrics are means over the tasks.
	Metrics map[string]float64 `json:"metrics"`
}

// AuditConfig says what an audit plays.
type AuditConfig struct {
	Selection env.Selection
	// Tasks is how many tasks each policy plays; fewer where the environment has fewer.
	Tasks int
	// Sandbox runs the cells.
	Sandbox rlm.Sandbox
	// Policies defaults to All.
	Policies []Policy
	// Seed decides the luck of simulated workers.
	Seed int64
	// Concurrency is how many rollouts are in progress at once. Defaults to 4.
	Concurrency int
	// Observe is called after every rollout. Defaults to nothing.
	Observe func(done, total int)
}

// Audit plays every policy on the same tasks and gives what each earned, in the order of the policies. The policy that
// replays remembers a task that it does not play.
func Audit(ctx context.Context, e env.Environment, c AuditConfig) ([]Row, error) {
	if c.Policies == nil {
		c.Policies = For(e.Name())
	}
	n := c.Tasks
	if size := e.Size(c.Selection); size > 0 {
		n = min(n, size)
	}
	tasks, memories := make([]env.Task, n), make([][]env.Defect, n)
	for i := range tasks {
		var err error
		if tasks[i], err = e.Task(ctx, c.Selection, i); err != nil {
			return nil, err
		}
	}
	for i := range tasks {
		if e.Size(c.Selection) > 0 { // a closed set: what was memorised is all of it
			for _, t := range tasks {
				memories[i] = append(memories[i], t.Defects...)
			}
			continue
		}
		other, err := e.Task(ctx, c.Selection, n+i)
		if err != nil {
			return nil, err
		}
		memories[i] = other.Defects
	}
	rows := make([]Row, len(c.Policies))
	rewards := make([][]env.Rollout, len(c.Policies))
	for p := range c.Policies {
		rewards[p] = make([]env.Rollout, n)
	}
	total := len(c.Policies) * n
	var mu sync.Mutex
	var first error
	done := 0
	if c.Concurrency <= 0 {
		c.Concurrency = 4
	}
	slots := make(chan struct{}, c.Concurrency)
	var wg sync.WaitGroup
	for p, policy := range c.Policies {
		for i, t := range tasks {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				r, err := play(ctx, e, c, policy, t, memories[i])
				mu.Lock()
				defer mu.Unlock()
				if err != nil && first == nil {
					first = fmt.Errorf("policy %s on %s: %w", policy.Name, t.ID, err)
				}
				rewards[p][i] = r
				done++
				if c.Observe != nil {
					c.Observe(done, total)
				}
			})
		}
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	for p, policy := range c.Policies {
		rows[p] = row(policy, rewards[p])
	}
	return rows, nil
}

func row(p Policy, rollouts []env.Rollout) Row {
	out := Row{Name: p.Name, Kind: p.Kind, About: p.About, Metrics: map[string]float64{}}
	for _, r := range rollouts {
		out.Rewards = append(out.Rewards, r.Reward)
		for name, v := range r.Metrics {
			out.Metrics[name] += v / float64(len(rollouts))
		}
	}
	s := stats.Summarize(out.Rewards)
	out.Mean, out.Min, out.Max = s.Mean, s.Min, s.Max
	return out
}

// play is one rollout without a trace.
func play(ctx context.Context, e env.Environment, c AuditConfig, p Policy, t env.Task, memory []env.Defect) (env.Rollout, error) {
	if err := ctx.Err(); err != nil {
		return env.Rollout{}, err
	}
	r, err := e.Roll(ctx, t, env.Attempt{
		Root:    func(*llm.Budget) (llm.Handle, error) { return p.Handle(memory), nil },
		Sandbox: c.Sandbox, Seed: c.Seed, Trace: trace.NewWriter(trace.Discard, 0, time.Now, nil),
	})
	if err == nil && r.Stop == env.StopError {
		err = fmt.Errorf("the script failed: %s", r.Error)
	}
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

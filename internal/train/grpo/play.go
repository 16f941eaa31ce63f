package grpo

import (
	"context"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
)

// group is a task and what its rollouts came to.
type group struct {
	played   []Rollout
	failures []error // of the machine: those rollouts are not in played
}

func (g group) rewards() []float64 {
	out := make([]float64, len(g.played))
	for i, p := range g.played {
		out[i] = p.Reward
	}
	return out
}

// player plays groups with the policy of the moment.
type player struct {
	stage       stage
	concurrency int                // there
	elsewhere   *Machines          // nil: on the stage
	work        Work               // what all works for them have in common
	shape       transformer.Config // of the policy
	played      func(done, total int)

	mu   sync.Mutex
	done int
}

// match says what is played at once: tasks of one selection, each by a group of rollouts.
type match struct {
	selection   env.Selection
	tasks       []int
	rollouts    int
	maxTurns    int
	temperature float64
	workers     func(i int) int64           // the luck of simulated workers, by the task's place in tasks
	policy      func(i, rollout int) uint64 // the policy's
}

// play plays a match and gives its groups in the order of the tasks. Only the end of ctx and a task that cannot be made are
// errors.
func (p *player) play(ctx context.Context, m match) ([]group, error) {
	works := make([]Work, len(m.tasks))
	for i, task := range m.tasks {
		w := p.work
		w.Selection, w.Task, w.Luck, w.Temperature, w.MaxTurns = m.selection, task, m.workers(i), m.temperature, m.maxTurns
		for k := range m.rollouts {
			w.Policy = append(w.Policy, m.policy(i, k))
		}
		works[i] = w
	}
	p.done = 0
	if p.elsewhere != nil {
		return p.playElsewhere(ctx, works)
	}
	all, err := train.PlayAll(ctx, train.Match{Environment: p.stage.environment, Selection: m.selection, Tasks: m.tasks,
		Rollouts: m.rollouts, Concurrency: p.concurrency}, func(ctx context.Context, t env.Task, i, k int) (Rollout, error) {
		defer p.count(1, len(m.tasks)*m.rollouts)
		return p.stage.rollout(ctx, t, works[i], k)
	})
	groups := make([]group, len(all))
	for i, a := range all {
		groups[i] = group{played: a.Rollouts, failures: a.Failures}
	}
	return groups, err
}

// count tells of rollouts that are over.
func (p *player) count(n, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range n {
		p.done++
		p.played(p.done, total)
	}
}

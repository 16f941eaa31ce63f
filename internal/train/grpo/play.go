package grpo

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/train"
	"golang.org/x/sync/errgroup"
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
	work        Work // what all works have in common
	concurrency int
	stage       stage // here, unless there is elsewhere
	elsewhere   func(context.Context, Work) (Performed, error)
	together    int // rollouts of a work elsewhere
	shape       transformer.Config
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

// playElsewhere has other machines play works, each in pieces of so many rollouts as are to be together.
func (p *player) playElsewhere(ctx context.Context, works []Work) ([]group, error) {
	total := len(works) * len(works[0].Policy)
	together := min(p.together, len(works[0].Policy))
	pieces := make([][]group, len(works)) // of each work
	all, playing := errgroup.WithContext(ctx)
	all.SetLimit(max(1, p.concurrency/together))
	for i, w := range works {
		parts := slices.Collect(slices.Chunk(w.Policy, together))
		pieces[i] = make([]group, len(parts))
		for j, seeds := range parts {
			all.Go(func() (err error) {
				if err := playing.Err(); err != nil {
					return err
				}
				part := w
				part.Policy = seeds
				pieces[i][j], err = p.perform(playing, part)
				p.count(len(seeds), total)
				return err
			})
		}
	}
	err := all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	groups := make([]group, len(works))
	for i, parts := range pieces {
		for _, g := range parts {
			groups[i].played = append(groups[i].played, g.played...)
			groups[i].failures = append(groups[i].failures, g.failures...)
		}
	}
	return groups, nil
}

// perform has another machine play a work. A machine that fails fails all its rollouts; a task that cannot be made is an error.
func (p *player) perform(ctx context.Context, w Work) (group, error) {
	done, err := p.elsewhere(ctx, w)
	if err == nil {
		err = done.check(w, p.shape)
	}
	switch {
	case err != nil:
		return group{failures: slices.Repeat([]error{err}, len(w.Policy))}, nil
	case done.Unmade != "":
		return group{}, errors.New(done.Unmade)
	}
	g := group{played: done.Rollouts}
	for _, f := range done.Failures {
		g.failures = append(g.failures, f)
	}
	return g, nil
}

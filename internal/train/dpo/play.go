package dpo

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train"
)

// player plays the tasks of a pool.
type player struct {
	o         Pool
	c         PoolConfig
	selection env.Selection
	sampler   *nano.Sampler
	tokenizer string
	played    func(reward float64)
}

// play plays the tasks at some places of the pool, and gives their groups in that order. Only the end of ctx and a task
// that cannot be made are errors; a rollout that fails for reasons of the machine is dropped and counted.
func (p *player) play(ctx context.Context, from, to int) ([]Group, []error, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, p.c.Concurrency)
	groups := make([]Group, to-from)
	sides := make([]Side, (to-from)*p.o.Group)
	failures := make([]error, len(sides))
	tasks := make([]sync.Once, to-from)
	made := make([]env.Task, to-from)
	var wg sync.WaitGroup
	for n := range sides {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			wg.Wait()
			return nil, nil, context.Cause(ctx)
		}
		wg.Go(func() {
			defer func() { <-slots }()
			i, k := n/p.o.Group, n%p.o.Group
			tasks[i].Do(func() {
				var err error
				if made[i], err = p.c.Environment.Task(ctx, p.selection, from+i); err != nil {
					cancel(fmt.Errorf("make task %d: %w", from+i, err))
				}
			})
			if ctx.Err() == nil {
				sides[n], failures[n] = p.rollout(ctx, made[i], from+i, k)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	var failed []error
	for i := range groups {
		g := Group{Place: from + i, Task: made[i].ID, Tokenizer: p.tokenizer, Rollouts: []Side{}}
		for k := range p.o.Group {
			if n := i*p.o.Group + k; failures[n] != nil {
				g.Dropped++
				failed = append(failed, failures[n])
			} else {
				g.Rollouts = append(g.Rollouts, sides[n])
			}
		}
		groups[i] = g
	}
	return groups, failed, nil
}

// rollout plays a task; k counts its rollouts from 0.
func (p *player) rollout(ctx context.Context, t env.Task, place, k int) (Side, error) {
	var turns []nano.Turn
	var s Side
	s.Policy, s.Seed = p.c.Policy.Name, train.Derive(p.o.Seed, forPolicy, place, k)
	s.Workers = train.Luck(p.o.Seed, forWorkers, place)
	root := p.sampler.Open(nano.Conversation{Seed: s.Seed, Temperature: p.o.Temperature,
		Record: func(turn nano.Turn) { turns = append(turns, turn) }})
	episode, err := train.Play(ctx, p.c.Environment, t, train.Attempt{Root: root, Policy: s.Policy, Sandbox: p.c.Sandbox, Seed: s.Workers,
		MaxTurns: p.o.MaxTurns})
	if err == nil && !(episode.Reward >= 0 && episode.Reward <= 1) {
		err = errors.New("the environment's reward is not from 0 to 1")
	}
	if err != nil {
		return s, err
	}
	s.Reward, s.Turns, s.Exchanges = episode.Reward, episode.Turns, episode.Exchanges
	for _, segment := range train.Join(turns) {
		if q := sequence(segment); len(q.Own) > 0 {
			s.Sequences = append(s.Sequences, q)
		}
	}
	p.played(s.Reward)
	return s, nil
}

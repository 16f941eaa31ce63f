package dpo

import (
	"context"
	"errors"

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
func (p *player) play(ctx context.Context, from, to int) (groups []Group, failed []error, err error) {
	m := train.Match{Environment: p.c.Environment, Selection: p.selection, Rollouts: p.o.Group, Concurrency: p.c.Concurrency}
	for place := from; place < to; place++ {
		m.Tasks = append(m.Tasks, place)
	}
	all, err := train.PlayAll(ctx, m, func(ctx context.Context, t env.Task, i, k int) (Side, error) {
		return p.rollout(ctx, t, from+i, k)
	})
	for i, a := range all {
		groups = append(groups, Group{Place: from + i, Task: a.Task, Tokenizer: p.tokenizer, Rollouts: append([]Side{}, a.Rollouts...),
			Dropped: len(a.Failures)})
		failed = append(failed, a.Failures...)
	}
	return groups, failed, err
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

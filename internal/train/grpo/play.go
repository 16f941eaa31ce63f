package grpo

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
)

// group is a task and what its rollouts came to.
type group struct {
	played   []outcome
	failures []error // of the machine: those rollouts are not in played
}

// outcome is one rollout that counts.
type outcome struct {
	episode train.Episode
	over    bool    // it explored more than its task needs
	entropy float64 // summed over the tokens that it wrote
	written int     // those tokens
}

func (g group) rewards() []float64 {
	out := make([]float64, len(g.played))
	for i, p := range g.played {
		out[i] = p.episode.Reward
	}
	return out
}

// player plays groups.
type player struct {
	environment env.Environment
	sandbox     rlm.Sandbox
	sampler     *nano.Sampler
	concurrency int
	name        string // of the policy
	played      func(done, total int)
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
	var mu sync.Mutex
	done := 0
	all, err := train.PlayAll(ctx, train.Match{Environment: p.environment, Selection: m.selection, Tasks: m.tasks, Rollouts: m.rollouts,
		Concurrency: p.concurrency}, func(ctx context.Context, t env.Task, i, k int) (outcome, error) {
		o, err := p.rollout(ctx, t, m, i, k)
		mu.Lock()
		defer mu.Unlock()
		done++
		p.played(done, len(m.tasks)*m.rollouts)
		return o, err
	})
	groups := make([]group, len(all))
	for i, a := range all {
		groups[i] = group{played: a.Rollouts, failures: a.Failures}
	}
	return groups, err
}

// rollout plays one rollout.
func (p *player) rollout(ctx context.Context, t env.Task, m match, i, k int) (o outcome, err error) {
	var turns []nano.Turn
	var events []trace.Event
	root := p.sampler.Open(nano.Conversation{Seed: m.policy(i, k), Temperature: m.temperature,
		Record: func(turn nano.Turn) { turns = append(turns, turn) }})
	episode, err := train.Play(ctx, p.environment, t, train.Attempt{Root: root, Policy: p.name, Sandbox: p.sandbox, Seed: m.workers(i),
		MaxTurns: m.maxTurns,
		Watch:    func(e trace.Event) { events = append(events, e) }})
	if err == nil && (math.IsNaN(episode.Reward) || math.IsInf(episode.Reward, 0)) {
		err = errors.New("the environment's reward is not a number")
	}
	if err != nil {
		return o, err
	}
	conduct, _ := eval.Observe(events)
	o.over = eval.OverExplored(float64(episode.Turns), conduct)
	for _, turn := range turns {
		if turn.Cut {
			episode.Cut++
		}
		for _, h := range turn.Entropy {
			o.entropy += float64(h)
		}
		o.written += len(turn.Reply)
	}
	episode.Segments = train.Join(turns)
	o.episode = episode
	return o, nil
}

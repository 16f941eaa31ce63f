package grpo

import (
	"context"
	"errors"
	"fmt"
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
	place    int // within the step
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

// match says what a group plays.
type match struct {
	place       int
	selection   env.Selection
	task        int
	rollouts    int
	maxTurns    int
	temperature float64
	workers     int64                    // the luck of simulated workers
	policy      func(rollout int) uint64 // the policy's
}

// play plays all matches, as many rollouts at once as may be, and gives their groups in the order of the matches. Only
// the end of ctx and a task that cannot be made are errors.
func (p *player) play(ctx context.Context, matches []match) ([]group, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	groups := make([]group, len(matches))
	slots := make(chan struct{}, p.concurrency)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done, total := 0, 0
	for _, m := range matches {
		total += m.rollouts
	}
	for i, m := range matches {
		groups[i].place = m.place
		ends := make([]end, m.rollouts)
		var task sync.Once
		var t env.Task
		var taskErr error
		var left sync.WaitGroup
		left.Add(m.rollouts)
		for k := range m.rollouts {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done(): // what has not begun is left out; the step is repeated as a whole
				left.Add(-(m.rollouts - k))
				wg.Wait()
				return nil, context.Cause(ctx)
			}
			wg.Go(func() {
				defer func() { <-slots }()
				defer left.Done()
				task.Do(func() { t, taskErr = p.environment.Task(ctx, m.selection, m.task) })
				if taskErr != nil {
					cancel(fmt.Errorf("make task %d: %w", m.task, taskErr))
					return
				}
				ends[k] = p.rollout(ctx, t, m, k)
				mu.Lock()
				defer mu.Unlock()
				done++
				p.played(done, total)
			})
		}
		wg.Go(func() {
			left.Wait()
			for _, e := range ends {
				if e.failure != nil {
					groups[i].failures = append(groups[i].failures, e.failure)
				} else {
					groups[i].played = append(groups[i].played, e.outcome)
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return groups, nil
}

// end is how a rollout ended: in a failure of the machine, or in something to learn from.
type end struct {
	outcome outcome
	failure error
}

// rollout plays one rollout.
func (p *player) rollout(ctx context.Context, t env.Task, m match, k int) end {
	var turns []nano.Turn
	var events []trace.Event
	root := p.sampler.Open(nano.Conversation{Seed: m.policy(k), Temperature: m.temperature,
		Record: func(turn nano.Turn) { turns = append(turns, turn) }})
	episode, err := train.Play(ctx, p.environment, t, train.Attempt{Root: root, Policy: p.name, Sandbox: p.sandbox, Seed: m.workers,
		MaxTurns: m.maxTurns,
		Watch:    func(e trace.Event) { events = append(events, e) }})
	if err == nil && (math.IsNaN(episode.Reward) || math.IsInf(episode.Reward, 0)) {
		err = errors.New("the environment's reward is not a number")
	}
	if err != nil {
		return end{failure: err}
	}
	conduct, _ := eval.Observe(events)
	o := outcome{over: eval.OverExplored(float64(episode.Turns), conduct)}
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
	return end{outcome: o}
}

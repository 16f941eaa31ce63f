package grpo

import (
	"context"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Perform plays a work on this machine. An error says that the machine cannot, or that ctx ended.
func Perform(ctx context.Context, w Work, h *Host) (Performed, error) {
	if err := w.check(); err != nil {
		return Performed{}, err
	}
	if here := nano.Arithmetic(); here != w.Arithmetic {
		return Performed{}, hint.Wrap(fmt.Errorf("this machine computes with other last places (%s) than the training's (%s)", here,
			w.Arithmetic), "have processors of one kind play the rollouts of a training")
	}
	e, err := h.c.Environment(ctx, w.Environment, w.Data)
	if err != nil {
		return Performed{}, err
	}
	if id := env.Identity(e); id != w.Identity {
		return Performed{}, fmt.Errorf("the environment here is %s, the training's %s", id, w.Identity)
	}
	p, err := h.enter(ctx, w)
	if err != nil {
		return Performed{}, err
	}
	defer h.leave(p)
	s := stage{environment: e, sandbox: h.c.Sandbox, sampler: p.sampler}
	played, err := train.PlayAll(ctx, train.Match{Environment: e, Selection: w.Selection, Tasks: []int{w.Task}, Rollouts: len(w.Policy),
		Concurrency: h.c.Concurrency}, func(ctx context.Context, t env.Task, _, k int) (Rollout, error) { return s.rollout(ctx, t, w, k) })
	switch {
	case ctx.Err() != nil:
		return Performed{}, context.Cause(ctx)
	case err != nil:
		return Performed{Unmade: err.Error()}, nil
	}
	done := Performed{Rollouts: played[0].Rollouts}
	for _, err := range played[0].Failures {
		done.Failures = append(done.Failures, Failure{err.Error(), hint.Of(err)})
	}
	return done, nil
}

// stage is where rollouts are played: here, or on the machine that was given the work.
type stage struct {
	environment env.Environment
	sandbox     rlm.Sandbox
	sampler     *nano.Sampler
}

// rollout plays the k-th rollout of a work.
func (s stage) rollout(ctx context.Context, t env.Task, w Work, k int) (Rollout, error) {
	var turns []nano.Turn
	var events []trace.Event
	root := s.sampler.Open(nano.Conversation{Seed: w.Policy[k], Temperature: w.Temperature,
		Record: func(turn nano.Turn) { turns = append(turns, turn) }})
	episode, err := train.Play(ctx, s.environment, t, train.Attempt{Root: root, Sandbox: s.sandbox, Seed: w.Luck, MaxTurns: w.MaxTurns,
		Watch: func(e trace.Event) { events = append(events, e) }})
	if err == nil && !train.Finite(episode.Reward) {
		err = errors.New("the environment's reward is not a number")
	}
	if err != nil {
		return Rollout{}, err
	}
	conduct, _ := eval.Observe(events)
	r := Rollout{Reward: episode.Reward, Metrics: episode.Metrics, Turns: episode.Turns, Segments: train.Join(turns),
		Over: eval.OverExplored(float64(episode.Turns), conduct)}
	for _, turn := range turns {
		if turn.Cut {
			r.Cut++
		}
		for _, h := range turn.Entropy {
			r.Entropy += float64(h)
		}
		r.Written += len(turn.Reply)
	}
	return r, nil
}

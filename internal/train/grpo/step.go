package grpo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// step plays and learns once.
func (r *run) step(ctx context.Context, n int) (runfile.TrainingStep, error) {
	s := runfile.TrainingStep{Step: n, LR: optim.Constant(n-1, r.o.Warmup, r.o.LR)}
	started := r.c.Now()
	groups, err := r.playStep(ctx, n)
	if err != nil {
		return s, err
	}
	s.Refilled = len(groups) - r.o.Tasks
	measure(&s, groups)
	if s.Rollouts <= s.Dropped {
		return s, tooManyDropped(n, groups, s)
	}
	s.PlaySeconds = r.c.Now().Sub(started).Seconds()
	played := r.c.Now()
	if err := r.learnStep(ctx, &s, groups); err != nil {
		return s, err
	}
	s.LearnSeconds = r.c.Now().Sub(played).Seconds()
	return s, nil
}

// playStep plays the step's tasks, and others in the place of dead groups until none is left or the bound is reached.
func (r *run) playStep(ctx context.Context, n int) ([]group, error) {
	p, err := r.player(ctx)
	if err != nil {
		return nil, err
	}
	var groups []group
	for wanted, next := r.o.Tasks, 0; wanted > 0; {
		from, tasks := next, make([]int, wanted)
		for i := range tasks {
			tasks[i] = r.schedule.task(n-1, from+i)
		}
		more, err := p.play(ctx, match{selection: r.schedule.selection, tasks: tasks, rollouts: r.o.Group, maxTurns: r.o.MaxTurns,
			temperature: r.o.Temperature,
			workers:     func(i int) int64 { return train.Luck(r.o.Seed, forWorkers, n, from+i) },
			policy:      func(i, rollout int) uint64 { return train.Derive(r.o.Seed, forPolicy, n, from+i, rollout) }})
		if err != nil {
			return nil, err
		}
		groups = append(groups, more...)
		next += wanted
		wanted = 0
		for _, g := range more {
			if dead(g.rewards()) {
				wanted++
			}
		}
		wanted = min(wanted, r.schedule.perStep-next)
	}
	return groups, nil
}

// learnStep makes the step's updates: minibatches of whole groups, in an order that the seed decides.
func (r *run) learnStep(ctx context.Context, s *runfile.TrainingStep, groups []group) error {
	var live []group
	for _, g := range groups {
		if !dead(g.rewards()) {
			live = append(live, g)
		}
	}
	rng := rand.New(rand.NewPCG(train.Derive(r.o.Seed, forOrder, s.Step), 0)) // it decides an order
	rng.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
	var total sums
	updates := 0
	for b := range r.o.Minibatches {
		part := live[b*len(live)/r.o.Minibatches : (b+1)*len(live)/r.o.Minibatches]
		sequences, rollouts := lessons(part, r.o.Advantage)
		if len(sequences) == 0 {
			continue
		}
		if err := r.learner.refer(ctx, sequences); err != nil {
			return err
		}
		got, norm, err := r.learner.update(ctx, sequences, divisor(r.o.Advantage, sequences, rollouts), s.LR)
		if err != nil {
			return err
		}
		total.add(got)
		s.GradNorm += norm
		updates++
	}
	s.Loss, s.GradNorm = train.Share(total.loss, float64(updates)), train.Share(s.GradNorm, float64(updates))
	s.KL, s.ClipFraction = train.Share(total.kl, float64(total.own)), train.Share(float64(total.clipped), float64(total.own))
	s.Tokens += 3 * total.tokens // forward and backward through the policy, forward through the base
	return nil
}

// lessons makes sequences of groups, with the advantages of their rollouts.
func lessons(groups []group, kind string) (sequences []sequence, rollouts int) {
	for _, g := range groups {
		worth := advantages(g.rewards(), kind)
		for i, p := range g.played {
			rollouts++
			for _, segment := range p.Segments {
				if q := newSequence(segment, worth[i]); q.own > 0 {
					sequences = append(sequences, q)
				}
			}
		}
	}
	return sequences, rollouts
}

// tooManyDropped is a step most of whose rollouts failed for reasons of the machine.
func tooManyDropped(n int, groups []group, s runfile.TrainingStep) error {
	cause := errors.New("no reason is known")
	for _, g := range groups {
		if len(g.failures) > 0 {
			cause = g.failures[0]
			break
		}
	}
	return fmt.Errorf("step %d: %d of %d rollouts failed: %w", n, s.Dropped, s.Dropped+s.Rollouts, cause)
}

// heldoutTasks is the seed of the held-out tasks by which runs choose their best policy: the same for all runs, and
// not the tasks of an evaluation, whose default seed is 0, so that a policy is not measured on the tasks by which it
// was chosen.
const heldoutTasks = 0x6865_6c64

// heldout plays the held-out rollouts with the policy as it is. The same tasks with the same luck are played each time.
func (r *run) heldout(ctx context.Context) ([]group, error) {
	p, err := r.player(ctx)
	if err != nil {
		return nil, err
	}
	selection := r.schedule.selection
	selection.Split, selection.Seed = r.measured, heldoutTasks
	tasks := make([]int, r.o.Heldout)
	size := r.c.Environment.Size(selection)
	for i := range tasks {
		if tasks[i] = i; size > 0 {
			tasks[i] = i % size
		}
	}
	return p.play(ctx, match{selection: selection, tasks: tasks, rollouts: 1, temperature: r.o.HeldoutTemperature,
		workers: func(i int) int64 { return train.Luck(heldoutTasks, forHeldout, i) },
		policy:  func(i, _ int) uint64 { return train.Derive(heldoutTasks, forPolicy, i) }})
}

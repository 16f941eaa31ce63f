package grpo

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Machines are others that play rollouts.
type Machines struct {
	// Perform has one of them [Perform] a work. An error counts as the machine's failure of all the work's rollouts. It must be
	// given.
	Perform func(context.Context, Work) (Performed, error)
	// Keep puts a content where they find it by its hash (HostConfig.Blob). It is given the base once and the adapter once a
	// step. It must be given.
	Keep func(ctx context.Context, content []byte) (hash string, err error)
	// Data is the hash of what the environment's tasks come from: they have it. Defaults to none: it makes them itself.
	Data string
	// Concurrency is how many rollouts they have in progress at once, those that wait for a machine included. Defaults to 1024.
	Concurrency int
	// Together is how many rollouts of a task are one work at most. Defaults to all of its group: the task is made once.
	Together int
}

// playElsewhere has other machines play works, each in pieces of so many rollouts as are to be together.
func (p *player) playElsewhere(ctx context.Context, works []Work) ([]group, error) {
	rollouts := len(works[0].Policy)
	total, together := len(works)*rollouts, rollouts
	if most := p.elsewhere.Together; most > 0 {
		together = min(together, most)
	}
	pieces := make([][]group, len(works)) // of each work
	all, playing := errgroup.WithContext(ctx)
	all.SetLimit(max(1, cmp.Or(p.elsewhere.Concurrency, 1024)/together))
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
	done, err := p.elsewhere.Perform(ctx, w)
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

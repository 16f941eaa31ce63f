package demo

import (
	"context"
	"fmt"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Config says what is collected.
type Config struct {
	// Episodes is how many rollouts are played. Defaults to 2,000.
	Episodes int
	// PerTask is how many scripts play the same task. Defaults to 8.
	PerTask int
	// Seed decides tasks, scripts and luck. Defaults to 0.
	Seed int64
	// Difficulties take turns, task by task. Default to easy ones only.
	Difficulties []string
	// Concurrency is how many rollouts are in progress at once. Defaults to 8.
	Concurrency int
	// Observe is called after every rollout; it must be quick. Defaults to nothing.
	Observe func(done, total int)
}

func (c Config) withDefaults() Config {
	if c.Episodes == 0 {
		c.Episodes = 2000
	}
	if c.PerTask <= 0 {
		c.PerTask = 8
	}
	if len(c.Difficulties) == 0 {
		c.Difficulties = []string{env.Easy}
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 8
	}
	if c.Observe == nil {
		c.Observe = func(int, int) {}
	}
	return c
}

// Collect plays scripts on tasks of the training split, with simulated workers. Episodes come task by task, and equal
// configurations give equal ones, whatever the concurrency. It ends with the first rollout that cannot be played.
func Collect(ctx context.Context, e env.Environment, box rlm.Sandbox, c Config) ([]train.Episode, error) {
	c = c.withDefaults()
	if c.Episodes < 0 {
		return nil, fmt.Errorf("%d episodes: there must be at least one", c.Episodes)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]train.Episode, c.Episodes)
	slots := make(chan struct{}, c.Concurrency)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for first := 0; first < c.Episodes && ctx.Err() == nil; first += c.PerTask {
		i := first / c.PerTask
		task, err := e.Task(ctx, env.Selection{Split: env.Train, Seed: c.Seed, Difficulty: c.Difficulties[i%len(c.Difficulties)]}, i)
		if err != nil {
			cancel(fmt.Errorf("make task %d: %w", i, err))
			break
		}
		for n := first; n < min(first+c.PerTask, c.Episodes); n++ {
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				script := Draw(mix(c.Seed, n))
				ep, err := train.Play(ctx, e, task, train.Attempt{Root: script.Handle(), Policy: script.Kind(), Sandbox: box, Seed: int64(n)})
				if err != nil {
					cancel(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				out[n] = ep
				done++
				c.Observe(done, c.Episodes)
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return out, nil
}

// mix is the seed of the n-th script: splitmix64, so that neighbours have nothing in common.
func mix(seed int64, n int) uint64 {
	x := uint64(seed)*0x9e3779b97f4a7c15 + uint64(n) + 1
	x = (x + 0x9e3779b97f4a7c15)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

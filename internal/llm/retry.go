package llm

import (
	"context"
	"math/rand/v2"
	"time"
)

// RetryConfig configures [WithRetry].
type RetryConfig struct {
	// Attempts is the most calls made for one request, the first included. Defaults to 6.
	Attempts int
	// Base is the longest wait before the second attempt; it doubles with every further one. Defaults to 500 ms.
	Base time.Duration
	// Max is where doubling ends. Defaults to 30 s.
	Max time.Duration
	// Patience is how long a call may wait for its provider, over all its attempts: for replies that fail, between attempts,
	// and in the pauses that the provider asks for. No wait begins that would exceed it; an attempt that is being made is
	// not cut short. Waiting for other calls of the run does not count. Defaults to 5 min.
	Patience time.Duration
	// Rand gives numbers in [0, 1). Defaults to math/rand/v2.
	Rand func() float64
	// Notify, if set, is called before every wait; also by wrappers further in, such as a [Limiter].
	Notify func(Retrying)
	// GivenUp, if set, is called when a call fails because it would have to wait for longer than its patience.
	GivenUp func(*Error)
	// Slow, if set, is called when an attempt has been without a reply for a minute.
	Slow func(time.Duration)
}

// slow is when an attempt counts as slow.
const slow = time.Minute

// Retrying is one wait between two attempts, or of an attempt before it is made.
type Retrying struct {
	Attempt int // that failed, 1 for the first; or that has to wait
	Err     error
	Wait    time.Duration
}

// WithRetry repeats calls that failed for a passing reason ([Error.Temporary]): 408, 409, 429, 5xx, and connections
// that failed, broke or stood still. It waits a random time up to the backoff ("full jitter"), and at least what the
// provider asked for in Retry-After. When its patience or ctx's deadline would pass during the wait, the error comes at
// once. What the failed attempts may have cost is in [Response.Earlier] or [Error.Earlier].
func WithRetry(m Model, c RetryConfig) Model {
	if c.Attempts <= 0 {
		c.Attempts = 6
	}
	if c.Base <= 0 {
		c.Base = 500 * time.Millisecond
	}
	if c.Max <= 0 {
		c.Max = 30 * time.Second
	}
	if c.Patience <= 0 {
		c.Patience = 5 * time.Minute
	}
	if c.Rand == nil {
		c.Rand = rand.Float64
	}
	return Func(func(ctx context.Context, r Request) (Response, error) {
		w := &waiting{patience: c.Patience, notify: c.Notify, started: time.Now()}
		ctx = context.WithValue(ctx, waitingKey{}, w)
		backoff := c.Base
		var earlier Earlier
		for attempt := 1; ; attempt++ {
			w.attempt.Store(int64(attempt))
			resp, err := c.try(ctx, m, r)
			if err == nil {
				resp.Earlier = earlier
				return resp, nil
			}
			e, ok := asError(err)
			if !ok {
				return resp, err
			}
			e.Earlier = earlier
			if !e.Temporary() || attempt >= c.Attempts || ctx.Err() != nil {
				return resp, &e
			}
			wait := time.Duration(c.Rand() * float64(backoff))
			if e.RetryAfter > 0 {
				// Everybody who was refused together must not come back together: jitter is added.
				wait = e.RetryAfter + wait/4
			}
			if !w.bears(wait) {
				late := w.impatient(e, wait)
				if c.GivenUp != nil {
					c.GivenUp(late)
				}
				return resp, late
			}
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
				return resp, &e
			}
			earlier.add(&e)
			w.tell(&e, wait)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return resp, &e
			}
			backoff = min(2*backoff, c.Max)
		}
	})
}

// try makes one attempt.
func (c RetryConfig) try(ctx context.Context, m Model, r Request) (Response, error) {
	if c.Slow != nil {
		defer time.AfterFunc(slow, func() { c.Slow(slow) }).Stop()
	}
	return m.Complete(ctx, r)
}

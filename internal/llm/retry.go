package llm

import (
	"context"
	"errors"
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
	// Patience is the longest Retry-After that is waited for; a longer one is an error at once. Defaults to 5 min.
	Patience time.Duration
	// Rand gives numbers in [0, 1). Defaults to math/rand/v2.
	Rand func() float64
	// Notify, if set, is called before every wait.
	Notify func(Retrying)
}

// Retrying is one wait between two attempts.
type Retrying struct {
	Attempt int // that failed, 1 for the first
	Err     error
	Wait    time.Duration
}

// WithRetry repeats calls that failed for a passing reason ([Error.Temporary]): 408, 409, 429, 5xx and connections
// that failed or broke. It waits a random time up to the backoff ("full jitter"), and at least what the provider
// asked for in Retry-After. When ctx's deadline would pass during the wait, the error comes at once.
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
		backoff := c.Base
		for attempt := 1; ; attempt++ {
			resp, err := m.Complete(ctx, r)
			if err == nil {
				return resp, nil
			}
			e, ok := errors.AsType[*Error](err)
			if !ok || !e.Temporary() || attempt >= c.Attempts || e.RetryAfter > c.Patience || ctx.Err() != nil {
				return resp, err
			}
			wait := time.Duration(c.Rand() * float64(backoff))
			if e.RetryAfter > 0 {
				// Everybody who was refused together must not come back together: jitter is added.
				wait = e.RetryAfter + wait/4
			}
			if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
				return resp, err
			}
			if c.Notify != nil {
				c.Notify(Retrying{Attempt: attempt, Err: err, Wait: wait})
			}
			timer := time.NewTimer(wait)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return resp, err
			}
			backoff = min(2*backoff, c.Max)
		}
	})
}

package llm

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// LimitConfig configures a [Limiter].
type LimitConfig struct {
	// RPM and TPM are requests and tokens (input and MaxTokens) a minute. Default to no limit.
	RPM, TPM int
	// MaxInFlight is the most calls at a time. Defaults to no limit.
	MaxInFlight int
	// Estimator forecasts a request's input tokens. Defaults to a new one.
	Estimator *Estimator
}

// Limiter holds the calls to one account back. Beside the fixed rates it adapts: a 429 halves the calls in flight and
// pauses all of them for as long as the provider asks, and every round of successes lets one more call in.
// It is safe for concurrent use, and shared by all models of an account.
type Limiter struct {
	requests, tokens *rate.Limiter // nil: no limit
	est              *Estimator
	most             int // 0: no limit

	mu       sync.Mutex
	changed  chan struct{}
	window   int // calls let in at a time; 0: not limited by a 429 (yet)
	inFlight int
	good     int // successes since window grew
	cut      time.Time
	pause    time.Time
}

// NewLimiter starts a limiter.
func NewLimiter(c LimitConfig) *Limiter {
	l := &Limiter{est: c.Estimator, most: c.MaxInFlight, changed: make(chan struct{})}
	if l.est == nil {
		l.est = &Estimator{}
	}
	perMinute := func(n, burst int) *rate.Limiter { return rate.NewLimiter(rate.Limit(float64(n)/60), max(1, burst)) }
	if c.RPM > 0 {
		l.requests = perMinute(c.RPM, c.RPM/10)
	}
	if c.TPM > 0 {
		l.tokens = perMinute(c.TPM, c.TPM/4)
	}
	return l
}

// Wrap holds m's calls to l's limits.
func (l *Limiter) Wrap(m Model) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		if err := l.wait(ctx, r); err != nil {
			return Response{}, err
		}
		started := time.Now()
		done := false
		defer func() { // also when m panics
			if !done {
				l.leave(started, nil, false)
			}
		}()
		resp, err := m.Complete(ctx, r)
		done = true
		e, _ := asError(err)
		l.leave(started, &e, err == nil)
		if err == nil {
			l.est.Learn(r, resp.Usage)
		}
		return resp, err
	})
}

// wait returns when the call may start. A call given up here cost nothing.
func (l *Limiter) wait(ctx context.Context, r Request) error {
	if l.tokens != nil {
		out := r.MaxTokens
		if out <= 0 {
			out = DefaultMaxTokens
		}
		// More than the bucket holds can never be had: such a request takes all of it.
		n := min(int(l.est.Forecast(r))+out, l.tokens.Burst())
		if l.tokens.WaitN(ctx, n) != nil {
			return l.gaveUp(ctx)
		}
	}
	if l.requests != nil && l.requests.Wait(ctx) != nil {
		return l.gaveUp(ctx)
	}
	for {
		l.mu.Lock()
		pause := time.Until(l.pause)
		if pause <= 0 && (l.window == 0 || l.inFlight < l.window) && (l.most == 0 || l.inFlight < l.most) {
			l.inFlight++
			l.mu.Unlock()
			return nil
		}
		changed := l.changed
		l.mu.Unlock()
		var over <-chan time.Time
		if pause > 0 {
			timer := time.NewTimer(pause)
			defer timer.Stop()
			over, changed = timer.C, nil
		}
		select {
		case <-changed:
		case <-over:
		case <-ctx.Done():
			return l.gaveUp(ctx)
		}
	}
}

// gaveUp covers both ends of a wait: ctx ended, or its deadline lies before the limiter's next slot.
func (l *Limiter) gaveUp(ctx context.Context) error {
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	var nothing USD
	return &Error{Kind: KindCanceled, Message: "the rate limit leaves no slot before the deadline", Err: context.DeadlineExceeded,
		Cost: &nothing}
}

func (l *Limiter) leave(started time.Time, e *Error, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case ok && l.window > 0:
		if l.good++; l.good >= l.window {
			l.window, l.good = l.window+1, 0
		}
	case e != nil && e.Kind == KindRateLimit:
		now := time.Now()
		if until := now.Add(e.RetryAfter); e.RetryAfter > 0 && until.After(l.pause) {
			l.pause = until
		}
		// One burst of refusals is one piece of news: calls that started before the last cut do not cut again.
		if !started.Before(l.cut) {
			l.window, l.good, l.cut = max(1, l.inFlight/2), 0, now
		}
	}
	l.inFlight--
	close(l.changed)
	l.changed = make(chan struct{})
}

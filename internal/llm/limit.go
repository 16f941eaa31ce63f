package llm

import (
	"context"
	"sync"
	"time"
)

// Limiter holds the calls to one account back. It adapts: a 429 halves the calls in flight and pauses all of them for as
// long as the provider asks, and every round of successes lets one more call in. It is safe for concurrent use, and
// shared by all models of an account.
type Limiter struct {
	mu       sync.Mutex
	changed  chan struct{}
	window   int // calls let in at a time; 0: not limited by a 429 (yet)
	inFlight int
	good     int // successes since window grew
	cut      time.Time
	pause    time.Time
}

// NewLimiter starts a limiter.
func NewLimiter() *Limiter { return &Limiter{changed: make(chan struct{})} }

// Wrap holds m's calls to l's limits.
func (l *Limiter) Wrap(m Model) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		if err := l.wait(ctx); err != nil {
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
		return resp, err
	})
}

// wait returns when the call may start. A call given up here cost nothing.
func (l *Limiter) wait(ctx context.Context) error {
	for {
		l.mu.Lock()
		pause := time.Until(l.pause)
		if pause <= 0 && (l.window == 0 || l.inFlight < l.window) {
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
			return canceled(ctx)
		}
	}
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

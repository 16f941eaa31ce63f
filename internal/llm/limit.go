package llm

import (
	"context"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Limiter holds the calls to one account back. It adapts: a 429 halves the calls in flight and pauses those to the same
// model for as long as the provider asks, and every round of successes lets one more call in. A call whose patience
// ([RetryConfig]) is shorter than the pause fails at once. It is safe for concurrent use, and shared by all models of an
// account; the pause is not, since a refused worker says nothing of the root.
type Limiter struct {
	mu       sync.Mutex
	changed  chan struct{}
	window   int // calls let in at a time; 0: not limited by a 429 (yet)
	inFlight int
	good     int // successes since window grew
	cut      time.Time
	pauses   map[string]pause // by model
}

// pause is what a provider asked for.
type pause struct {
	until time.Time
	why   *Error
}

// NewLimiter starts a limiter.
func NewLimiter() *Limiter { return &Limiter{changed: make(chan struct{}), pauses: map[string]pause{}} }

// Wrap holds the calls of m, the model of that full name, to l's limits.
func (l *Limiter) Wrap(m Model, name string) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		if err := l.wait(ctx, name); err != nil {
			return Response{}, err
		}
		started := time.Now()
		done := false
		defer func() { // also when m panics
			if !done {
				l.leave(name, started, nil, false)
			}
		}()
		resp, err := m.Complete(ctx, r)
		done = true
		e, _ := asError(err)
		l.leave(name, started, &e, err == nil)
		return resp, err
	})
}

// wait returns when the call may start. A call given up here cost nothing.
func (l *Limiter) wait(ctx context.Context, name string) error {
	for {
		l.mu.Lock()
		asked := l.pauses[name]
		left := time.Until(asked.until)
		if left <= 0 && (l.window == 0 || l.inFlight < l.window) {
			l.inFlight++
			l.mu.Unlock()
			return nil
		}
		changed := l.changed
		l.mu.Unlock()
		if left > 0 {
			if err := l.sitOut(ctx, asked, left); err != nil {
				return err
			}
			continue
		}
		served := queueing(ctx)
		select {
		case <-changed:
			served()
		case <-ctx.Done():
			return canceled(ctx)
		}
	}
}

// sitOut waits for the end of a pause, unless it is longer than the call's patience.
func (l *Limiter) sitOut(ctx context.Context, asked pause, left time.Duration) error {
	w := waitingOf(ctx)
	if !w.bears(left) {
		refused := *asked.why
		refused.RetryAfter, refused.Cost, refused.MaybeBilled = left, new(money.USD), false
		return &refused
	}
	w.tell(asked.why, left)
	select {
	case <-time.After(left):
		return nil
	case <-ctx.Done():
		return canceled(ctx)
	}
}

func (l *Limiter) leave(name string, started time.Time, e *Error, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case ok && l.window > 0:
		if l.good++; l.good >= l.window {
			l.window, l.good = l.window+1, 0
		}
	case e != nil && e.Kind == KindRateLimit:
		now := time.Now()
		if until := now.Add(e.RetryAfter); e.RetryAfter > 0 && until.After(l.pauses[name].until) {
			l.pauses[name] = pause{until, e}
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

package llm

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimiterAdapts: a server that bears four calls at a time and refuses the fifth with a Retry-After is soon left
// with about four, is not asked during the pause, and everything is answered in the end.
func TestLimiterAdapts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		inFlight, refused, answered := 0, 0, 0
		var until time.Time
		server := Func(func(ctx context.Context, r Request) (Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if time.Now().Before(until) {
				t.Error("asked during the pause")
			}
			if inFlight >= 4 {
				refused++
				mu.Unlock()
				time.Sleep(time.Millisecond) // refusals of one burst arrive one after the other
				mu.Lock()
				return Response{}, &Error{Kind: KindRateLimit}
			}
			inFlight++
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			inFlight--
			answered++
			return Response{Finish: FinishStop}, nil
		})
		m := WithRetry(NewLimiter().Wrap(server, "p/m"), RetryConfig{Attempts: 1000})
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				if _, err := m.Complete(t.Context(), Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if answered != 64 {
			t.Errorf("%d answered", answered)
		}
		if refused > 64+40 { // the first burst, and a few probes
			t.Errorf("%d refused: the limiter does not adapt", refused)
		}

		// And the pause that a provider asks for holds for everybody.
		l := NewLimiter()
		calls := 0
		paused := l.Wrap(failing(&calls, &Error{Kind: KindRateLimit, RetryAfter: 10 * time.Second}), "p/m")
		if _, err := paused.Complete(t.Context(), Request{}); KindOf(err) != KindRateLimit {
			t.Error(err)
		}
		start := time.Now()
		if _, err := paused.Complete(t.Context(), Request{}); err != nil || time.Since(start) != 10*time.Second {
			t.Errorf("%v after %v, want 10s", err, time.Since(start))
		}
	})
}

// TestLimiterGivesUp: a call that never went out cost nothing, and leaves nothing behind.
func TestLimiterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter()
		l.window = 1
		release := make(chan struct{})
		m := l.Wrap(Func(func(context.Context, Request) (Response, error) { <-release; return Response{}, nil }), "p/m")
		var wg sync.WaitGroup
		wg.Go(func() { m.Complete(t.Context(), Request{}) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := m.Complete(ctx, Request{})
		e, _ := asError(err)
		if e.Kind != KindCanceled || e.Cost == nil || *e.Cost != 0 {
			t.Errorf("error %v with cost %v", err, e.Cost)
		}
		close(release)
		wg.Wait()
		if _, err := m.Complete(t.Context(), Request{}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// TestOneBurstCutsOnce: sixteen refusals of one burst halve the calls in flight, they do not end them.
func TestOneBurstCutsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refuse := true
		var mu sync.Mutex
		inFlight, peak := 0, 0
		l := NewLimiter()
		m := l.Wrap(Func(func(context.Context, Request) (Response, error) {
			mu.Lock()
			inFlight++
			peak = max(peak, inFlight)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			inFlight--
			if refuse {
				return Response{}, &Error{Kind: KindRateLimit}
			}
			return Response{Finish: FinishStop}, nil
		}), "p/m")
		round := func() {
			var wg sync.WaitGroup
			for range 16 {
				wg.Go(func() { m.Complete(t.Context(), Request{}) })
			}
			time.Sleep(time.Millisecond) // they start before the first of them is refused
			wg.Wait()
		}
		round()
		refuse, peak = false, 0
		wg := sync.WaitGroup{}
		for range 8 {
			wg.Go(func() { m.Complete(t.Context(), Request{}) })
		}
		wg.Wait()
		if peak != 8 {
			t.Errorf("%d at a time after one burst of 16 refusals, want 8", peak)
		}
	})
}

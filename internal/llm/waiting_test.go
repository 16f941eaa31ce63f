package llm

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// TestPatienceEndsACall: attempts that take long, and backoffs between them, count together; the error says so.
func TestPatienceEndsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		hanging := Func(func(context.Context, Request) (Response, error) {
			calls++
			time.Sleep(2 * time.Minute)
			return Response{}, &Error{Kind: KindTimeout, Message: "the reply stood still for 2m0s", MaybeBilled: true}
		})
		start := time.Now()
		_, err := WithRetry(hanging, RetryConfig{}).Complete(t.Context(), Request{})
		e, _ := asError(err)
		if e.Kind != KindTimeout || calls != 3 || time.Since(start) > 7*time.Minute ||
			!strings.Contains(e.Error(), "a call waits 5m0s at most") ||
			!strings.Contains(e.Hint(), "--patience") || e.Earlier.Attempts != 2 || e.Earlier.Unsettled != 2 || e.Earlier.Unbounded != 2 {
			t.Errorf("%v (%s) after %d calls and %s; earlier %+v", err, e.Hint(), calls, time.Since(start), e.Earlier)
		}
		calls = 0
		if _, err = WithRetry(hanging, RetryConfig{Patience: time.Hour}).Complete(t.Context(), Request{}); calls != 6 {
			t.Errorf("%v after %d calls, with more patience", err, calls)
		}
	})
}

// TestQueueingIsNoImpatience: a call that waits behind others of the same run for longer than its patience is made all
// the same.
func TestQueueingIsNoImpatience(t *testing.T) {
	price := &Price{Output: money.Dollar}
	for name, narrow := range map[string]func() StackConfig{
		"the limiter lets in one call": func() StackConfig {
			l := NewLimiter()
			l.window = 1
			return StackConfig{Limiter: l}
		},
		"the budget has room for one call": func() StackConfig {
			return StackConfig{Budget: NewBudget(price.WorstCase(1000, DefaultMaxTokens) * 3 / 2)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failed := map[string]bool{}
				var mu sync.Mutex
				model := Func(func(_ context.Context, r Request) (Response, error) {
					time.Sleep(time.Minute)
					mu.Lock()
					defer mu.Unlock()
					if text := r.Messages[0].Content; !failed[text] {
						failed[text] = true
						return Response{}, &Error{Kind: KindOverloaded, Status: 503}
					}
					return Response{Text: "ok", Finish: FinishStop, Usage: Usage{InputTokens: 1, OutputTokens: 1}}, nil
				})
				m := Stack(Handle{Name: "p/m", Model: WithPrice(model, price), Price: price}, narrow())
				var wg sync.WaitGroup
				for _, text := range strings.Split("abcdefghijkl", "") {
					wg.Go(func() {
						if _, err := m.Complete(t.Context(), question(text)); err != nil {
							t.Errorf("%s: %v", text, err)
						}
					})
				}
				wg.Wait()
			})
		})
	}
}

// TestALongPauseFreezesNobody: a worker that is told to come back in an hour fails at once, and so do later calls to its
// model, without asking; the root, another model of the same provider, goes on. The user is told once.
func TestALongPauseFreezesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := map[string]int{}
		registry := NewRegistry(nil)
		registry.Register("p", func(model string) (Handle, error) {
			return Handle{Model: Func(func(context.Context, Request) (Response, error) {
				if asked[model]++; model == "worker" {
					return Response{}, &Error{Kind: KindRateLimit, Status: 429, Message: "slow down", RetryAfter: time.Hour}
				}
				return Response{Text: "ok", Finish: FinishStop}, nil
			}), Price: &Price{Output: money.Dollar}}, nil
		})
		var said []string
		o := NewOpener(OpenerConfig{Registry: registry, Root: "p/root", Worker: "p/worker", Say: func(s string) { said = append(said, s) }})
		root, err := o.Root(nil)
		if err != nil {
			t.Fatal(err)
		}
		worker, err := o.Worker("", nil)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for range 20 {
			_, err := worker.Model.Complete(t.Context(), question("a"))
			e, _ := asError(err)
			if e.Kind != KindRateLimit || e.Uncertain() || !strings.Contains(e.Error(), "it asks to wait 1h0m0s, and a call waits 5m0s at most") ||
				!strings.Contains(e.Hint(), "--patience 1h") || !strings.Contains(e.Hint(), "resume") {
				t.Fatalf("%v (%s)", err, e.Hint())
			}
		}
		complete(t, root, nil)
		if time.Since(start) > time.Second || asked["worker"] != 1 || asked["root"] != 1 {
			t.Errorf("%v asked, after %s", asked, time.Since(start))
		}
		if len(said) != 1 || !strings.HasPrefix(said[0], "p/worker: status 429: slow down; it asks to wait 1h0m0s") ||
			!strings.Contains(said[0], "its calls fail until then ("+start.Add(time.Hour).Format("15:04")) {
			t.Errorf("%q", said)
		}
		registry.Patience = 2 * time.Hour
		asked["worker"] = 0
		patient, err := NewOpener(OpenerConfig{Registry: registry, Root: "p/worker"}).Root(nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = patient.Model.Complete(t.Context(), question("a"))
		if KindOf(err) != KindRateLimit || time.Since(start) < time.Hour || asked["worker"] != 2 {
			t.Errorf("with patience: %v after %s, asked %d times", err, time.Since(start), asked["worker"])
		}
	})
}

// TestWaitsAreTold: a hundred calls that wait for the same pause are one line, which says until when; a call without a
// reply is told of as well.
func TestWaitsAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		registry := NewRegistry(nil)
		registry.Register("p", func(string) (Handle, error) {
			return Handle{Model: Func(func(context.Context, Request) (Response, error) {
				if left := 30*time.Second - time.Since(begun); left > 0 {
					return Response{}, &Error{Kind: KindRateLimit, Status: 429, Message: "slow down", RetryAfter: left}
				}
				time.Sleep(200 * time.Second)
				return Response{Text: "ok", Finish: FinishStop}, nil
			}), Price: &Price{Output: money.Dollar}}, nil
		})
		var mu sync.Mutex
		var said []string
		say := func(s string) { mu.Lock(); defer mu.Unlock(); said = append(said, s) }
		o := NewOpener(OpenerConfig{Registry: registry, Root: "p/m", Say: say})
		h, err := o.Root(nil)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 100 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 250 * time.Millisecond)
				complete(t, h, nil)
			})
		}
		wg.Wait()
		mu.Lock() // a timer may be telling the last line
		defer mu.Unlock()
		until := begun.Add(30 * time.Second).Format("15:04:05")
		waits, slow := 0, 0
		for _, line := range said {
			switch {
			case strings.HasPrefix(line, "p/m: status 429: slow down; trying again in 30s (") && strings.Contains(line, until[:5]):
				waits++
			case strings.HasPrefix(line, "p/m: no reply yet after 1m0s"):
				slow++
			}
		}
		if waits != 1 || slow == 0 || waits+slow != len(said) || len(said) > 20 {
			t.Errorf("%d lines: %q", len(said), said)
		}
	})
}

// TestEarlierAttemptsAreCarried: what failed attempts cost, or may have cost, is in the response or the error of the call,
// and not in the cache.
func TestEarlierAttemptsAreCarried(t *testing.T) {
	cache := openCache(t, CacheConfig{})
	synctest.Test(t, func(t *testing.T) {
		price := &Price{Input: money.Dollar, Output: money.Dollar}
		some := money.Dollar / 8
		calls := 0
		m := Stack(Handle{Name: "p/m", Price: price, Model: WithPrice(failing(&calls,
			&Error{Kind: KindOverloaded, Status: 503}, // refused
			&Error{Kind: KindTruncated},               // perhaps
			&Error{Kind: KindTruncated, Cost: &some, Usage: Usage{OutputTokens: 7}},
			&Error{Kind: KindConnection, MaybeBilled: true},
		), price)}, StackConfig{Cache: cache})
		r := question("a")
		r.MaxTokens = 1000
		resp, err := m.Complete(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		most := 2 * price.WorstCase((&Estimator{}).UpperBound(r), 1000)
		if want := (Earlier{Attempts: 4, Usage: Usage{OutputTokens: 7}, Cost: some, Unsettled: 2, Most: most}); resp.Earlier != want {
			t.Errorf("earlier attempts %+v, want %+v", resp.Earlier, want)
		}
		if resp, err := m.Complete(t.Context(), r); err != nil || !resp.FromCache || resp.Earlier != (Earlier{}) {
			t.Errorf("from the cache: %+v, %v", resp, err)
		}
	})
}

// TestFreeModelsAreNeverUncertain: what bills nothing has not billed a broken call either.
func TestFreeModelsAreNeverUncertain(t *testing.T) {
	calls := 0
	_, err := WithPrice(failing(&calls, &Error{Kind: KindTruncated}), NotBilled()).Complete(t.Context(), Request{})
	if e, _ := asError(err); e.Uncertain() || e.Cost == nil || *e.Cost != 0 {
		t.Errorf("%+v", e)
	}
}

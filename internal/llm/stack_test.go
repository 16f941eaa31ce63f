package llm

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/deeprepo/deeprepo/internal/money"
)

// TestStack: one request through everything, with a failure on the way: the retry is reserved on its own, and the
// second run comes from the cache and costs nothing.
func TestStack(t *testing.T) {
	cache := openCache(t, CacheConfig{})
	synctest.Test(t, func(t *testing.T) {
		price := &Price{Input: 3 * money.Dollar, Output: 15 * money.Dollar}
		calls := 0
		provider := Func(func(ctx context.Context, r Request) (Response, error) {
			calls++
			if calls == 1 {
				return Response{}, &Error{Kind: KindOverloaded, Status: 503}
			}
			return Response{Text: "ok", Finish: FinishStop, Usage: Usage{InputTokens: 100, CachedTokens: 40, OutputTokens: 10}}, nil
		})
		h := Handle{Name: "p/m", Model: WithPrice(provider, price), Price: price}
		budget := NewBudget(money.Dollar)
		m := Stack(h, StackConfig{Cache: cache, Budget: budget, Limiter: NewLimiter(LimitConfig{MaxInFlight: 2})})
		for range 2 {
			if _, err := m.Complete(t.Context(), question("a")); err != nil {
				t.Fatal(err)
			}
		}
		if r := budget.Report(); r.Spent != usd(t, "0.00045") || r.Reserved != 0 {
			t.Errorf("budget %+v", r)
		}
		// Nothing goes out for a call that the budget refuses.
		poor := Stack(h, StackConfig{Budget: NewBudget(1)})
		if _, err := poor.Complete(t.Context(), question("b")); !errors.Is(err, ErrBudget) || calls != 2 {
			t.Errorf("%v after %d calls", err, calls)
		}
	})
}

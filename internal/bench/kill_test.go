package bench

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Killed twice with a call in flight, which was charged, and continued under the same budget: the runs that come later do
// not spend what the killed calls can have cost.
func TestTheCapHoldsOverKills(t *testing.T) {
	const most = 6.5
	var calls, charged atomic.Int64
	out, killAt := filepath.Join(t.TempDir(), "out"), int64(0)
	play := func() (Outcome, error) {
		left, e, dead := t.TempDir(), newEnv(t, &calls), false
		calls.Store(0)
		e.Registry.Register("mortal", func(string) (llm.Handle, error) {
			h := priced(&calls)
			model := h.Model
			h.Price = &llm.Price{Output: 122 * money.Dollar} // a call costs as much as it can
			h.Name, h.Model = "mortal/priced", llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
				if dead { // what comes later never happened
					return llm.Response{}, &llm.Error{Kind: llm.KindAuth}
				}
				cost := h.Price.WorstCase(0, int64(r.MaxTokens))
				charged.Add(int64(cost))
				if calls.Load()+1 == killAt {
					dead = true
					if err := os.CopyFS(left, os.DirFS(out)); err != nil {
						t.Error(err)
					}
					return llm.Response{}, &llm.Error{Kind: llm.KindAuth}
				}
				resp, err := model.Complete(ctx, r)
				resp.Cost = &cost
				return resp, err
			})
			return h, nil
		}, "priced")
		defer func() {
			if dead {
				out = left
			}
		}()
		if _, err := os.Stat(out); err == nil {
			return Resume(t.Context(), out, nil, e)
		}
		s := spec(t, out, ConfigSpec{Name: "priced", Root: "mortal/priced", Worker: "sim"})
		budget := most
		s.Budget = &budget
		return Run(t.Context(), s, e)
	}
	for killAt = 1; killAt <= 2; killAt++ {
		_, _ = play()
	}
	killAt = -1
	got, err := play()
	dollars, b := money.USD(charged.Load()).Float64(), got.Result
	if dollars > most {
		t.Errorf("%v dollars were charged, and the cap is %v: %v", dollars, most, err)
	}
	const cent = 0.01
	if low, high := *b.SpentUSD, *b.AtMostUSD; low > dollars+cent || high < dollars-cent || high > most || low > high-cent {
		t.Errorf("%v dollars were charged, and the bill is %v to %v", dollars, low, high)
	}
}

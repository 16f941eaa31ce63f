package llm

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
	"pgregory.net/rapid"
)

// TestBudgetProperty drives a tree of pools with random operations and holds it to a plain account of them: no pool's
// spent, reserved and earmarked money is ever over its cap when a reservation is granted, nothing is granted without
// room or refused with room, and in the end every cent is accounted for.
func TestBudgetProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := NewBudget(money.USD(rapid.Int64Range(0, 1000).Draw(t, "cap")))
		pools := []*Budget{root}
		var earmarks []*Budget
		type held struct {
			r *Reservation
			b *Budget
		}
		var open []held
		spent := map[*Budget]money.USD{}
		charge := func(b *Budget, cost money.USD) {
			for n := b; n != nil; n = n.parent {
				spent[n] += cost
			}
		}
		check := func() {
			for _, b := range pools {
				r := b.Report()
				if r.Spent != spent[b] {
					t.Fatalf("pool spent %d, the account says %d", r.Spent, spent[b])
				}
				if r.Cap != nil && r.Overrun == 0 && r.Spent+r.Reserved+r.Earmarked > *r.Cap && !b.closed {
					t.Fatalf("over the cap: %+v of %d", r, *r.Cap)
				}
				if r.Reserved < 0 || r.Earmarked < 0 || b.funds < 0 {
					t.Fatalf("negative: %+v", r)
				}
			}
		}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			b := rapid.SampledFrom(pools).Draw(t, "pool")
			amount := money.USD(rapid.Int64Range(0, 300).Draw(t, "amount"))
			switch rapid.SampledFrom([]string{"reserve", "reserve", "settle", "settle", "child", "earmark", "close"}).Draw(t, "op") {
			case "reserve":
				left, capped := b.Remaining()
				r, err := b.Reserve(amount)
				if granted := err == nil; granted != (!capped || amount <= left || amount == 0) {
					t.Fatalf("reserving %d with %d left: %v", amount, left, err)
				}
				if err == nil {
					open = append(open, held{r, b})
				} else if !errors.Is(err, ErrBudget) {
					t.Fatal(err)
				}
			case "settle":
				if len(open) == 0 {
					continue
				}
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				h := open[i]
				open = append(open[:i], open[i+1:]...)
				switch rapid.IntRange(0, 2).Draw(t, "how") {
				case 0:
					cost := min(amount, h.r.Amount())
					h.r.Settle(cost)
					charge(h.b, cost)
				case 1:
					h.r.SettleUncertain()
					charge(h.b, h.r.Amount())
				case 2:
					h.r.Release()
				}
				h.r.Settle(1_000_000) // a second settling must not count
			case "child":
				pools = append(pools, b.Child(amount))
			case "earmark":
				if e, err := b.Earmark(amount); err == nil {
					pools, earmarks = append(pools, e), append(earmarks, e)
				}
			case "close":
				if len(earmarks) > 0 {
					rapid.SampledFrom(earmarks).Draw(t, "earmark").Close()
				}
			}
			check()
		}
		for _, h := range open {
			h.r.Release()
		}
		for i := len(earmarks) - 1; i >= 0; i-- { // inner ones first
			earmarks[i].Close()
		}
		check()
		if r := root.Report(); r.Reserved != 0 || r.Earmarked != 0 || r.Overrun != 0 {
			t.Fatalf("left over: %+v", r)
		}
	})
}

// TestBudgetConcurrent: 64 goroutines against one cap, in real time. At no moment does the sum of what running calls
// could cost and what finished ones did cost exceed it.
func TestBudgetConcurrent(t *testing.T) {
	const limit = 50_000
	root := NewBudget(limit)
	price := Price{Input: 1_000_000, Output: 1_000_000} // a pico-dollar a token
	var inFlight, spent atomic.Int64
	var refused atomic.Int64
	model := Func(func(ctx context.Context, r Request) (Response, error) {
		u := Usage{InputTokens: int64(len(r.Messages[0].Content)), OutputTokens: rand.Int64N(int64(r.MaxTokens) + 1)}
		cost := int64(price.Cost(u))
		if now := inFlight.Add(cost) + spent.Load(); now > limit {
			t.Errorf("%d in flight and spent, over the cap of %d", now, limit)
		}
		time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
		spent.Add(cost)
		inFlight.Add(-cost)
		return Response{Text: "x", Finish: FinishStop, Usage: u}, nil
	})
	var wg sync.WaitGroup
	for g := range 64 {
		b := root
		if g%2 == 0 {
			b = root.Child(limit / 10)
		}
		m := WithBudget(WithPrice(model, &price), b, BudgetConfig{Price: &price})
		wg.Go(func() {
			for range 50 {
				_, err := m.Complete(context.Background(), Request{MaxTokens: 200,
					Messages: []Message{{Role: RoleUser, Content: strings.Repeat("x", 1+rand.IntN(100))}}})
				if errors.Is(err, ErrBudget) {
					refused.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	r := root.Report()
	if int64(r.Spent) != spent.Load() || r.Spent > limit || r.Reserved != 0 || r.Overrun != 0 || r.Uncertain != 0 {
		t.Errorf("report %+v, the model counted %d", r, spent.Load())
	}
	if refused.Load() == 0 || r.Spent < limit/2 {
		t.Errorf("%d refused, %d spent: the cap was never reached", refused.Load(), r.Spent)
	}
}

// TestReserveWaits: a call that only calls in flight stand in the way of waits for them; one that can never fit fails.
func TestReserveWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(100)
		first, err := b.Reserve(80)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Reserve(30); !errors.Is(err, ErrBudget) {
			t.Errorf("Reserve: %v, want ErrBudget at once", err)
		}
		if _, err := b.ReserveWait(t.Context(), 101); !errors.Is(err, ErrBudget) {
			t.Errorf("more than the cap: %v, want ErrBudget at once", err)
		}
		go func() {
			time.Sleep(time.Minute)
			first.Settle(10)
		}()
		start := time.Now()
		second, err := b.ReserveWait(t.Context(), 30)
		if err != nil || time.Since(start) != time.Minute {
			t.Errorf("got %v after %v, want a reservation after a minute", err, time.Since(start))
		}
		go func() {
			time.Sleep(time.Minute)
			second.Settle(95 - 10)
		}()
		if _, err := b.ReserveWait(t.Context(), 70); !errors.Is(err, ErrBudget) {
			t.Errorf("after the room was spent: %v, want ErrBudget", err)
		}
		third, err := b.Reserve(5)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = b.ReserveWait(ctx, 3)
		if KindOf(err) != KindCanceled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a deadline: %v", err)
		}
		third.Release()
	})
}

func TestEarmark(t *testing.T) {
	b := NewBudget(100)
	last, err := b.Earmark(30)
	if err != nil {
		t.Fatal(err)
	}
	work, err := b.Reserve(70)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Reserve(1); !errors.Is(err, ErrBudget) {
		t.Error("the earmarked money was given away")
	}
	work.SettleUncertain()
	final, err := last.Reserve(25)
	if err != nil {
		t.Fatalf("the last turn cannot be paid: %v", err)
	}
	if _, err := last.Reserve(6); !errors.Is(err, ErrBudget) {
		t.Error("the earmark has no cap")
	}
	last.Close()
	if left, _ := b.Remaining(); left != 5 {
		t.Errorf("%d left with 25 in flight, want 5", left)
	}
	final.Settle(20)
	if r := b.Report(); r.Spent != 90 || r.Uncertain != 70 || r.Earmarked != 0 {
		t.Errorf("report %+v", r)
	}
	if _, err := last.Reserve(1); !errors.Is(err, ErrBudget) {
		t.Error("a closed earmark still pays")
	}
	if left, _ := b.Remaining(); left != 10 {
		t.Errorf("%d left, want 10", left)
	}
}

// TestBudgetSettling: what each outcome of a call does to the books.
func TestBudgetSettling(t *testing.T) {
	price := &Price{Input: 1_000_000, Output: 1_000_000}
	cost := func(u money.USD) *money.USD { return &u }
	tests := []struct {
		name      string
		price     *Price
		resp      Response
		err       error
		spent     money.USD // -1: the whole reservation
		uncertain bool
		unpriced  int
		over      bool
	}{
		{name: "known cost", price: price, resp: Response{Cost: cost(7)}, spent: 7},
		{name: "no usage", price: price, resp: Response{}, spent: -1, uncertain: true},
		{name: "refused", price: price, err: &Error{Kind: KindRateLimit}, spent: 0},
		{name: "empty reply that was billed", price: price, err: &Error{Kind: KindEmpty, Cost: cost(9)}, spent: 9},
		{name: "empty reply without usage", price: price, err: &Error{Kind: KindEmpty}, spent: -1, uncertain: true},
		{name: "broke off", price: price, err: &Error{Kind: KindTruncated}, spent: -1, uncertain: true},
		{name: "given up", price: price, err: context.Canceled, spent: -1, uncertain: true},
		{name: "given up before it went out", price: price, err: &Error{Kind: KindCanceled, Cost: cost(0)}, spent: 0},
		{name: "dearer than reserved", price: price, resp: Response{Cost: cost(100_000)}, spent: 100_000, over: true},
		{name: "no price", resp: Response{}, spent: 0, unpriced: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBudget(NoCap)
			var reserved money.USD
			m := WithBudget(Func(func(context.Context, Request) (Response, error) {
				reserved = b.Report().Reserved
				return tt.resp, tt.err
			}), b, BudgetConfig{Price: tt.price})
			if _, err := m.Complete(t.Context(), Request{MaxTokens: 100}); !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if tt.price != nil && reserved < 100 {
				t.Errorf("%d reserved during the call", reserved)
			}
			want := tt.spent
			if want < 0 {
				want = reserved
			}
			r := b.Report()
			if r.Spent != want || r.Reserved != 0 || r.Unpriced != tt.unpriced || (r.Uncertain > 0) != tt.uncertain || (r.Overrun > 0) != tt.over {
				t.Errorf("report %+v with %d reserved, want %d spent", r, reserved, want)
			}
		})
	}
}

func TestUnknownPriceWithCap(t *testing.T) {
	called := false
	m := WithBudget(Func(func(context.Context, Request) (Response, error) { called = true; return Response{}, nil }),
		NewBudget(money.Dollar), BudgetConfig{Model: "openai/my-root"})
	_, err := m.Complete(t.Context(), Request{})
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != KindPrice || called {
		t.Fatalf("error %v, called %v", err, called)
	}
	if !strings.Contains(e.Hint(), `[model."openai/my-root"]`) {
		t.Errorf("hint %q", e.Hint())
	}
}

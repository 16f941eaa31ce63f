package llm

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/google/go-cmp/cmp"
)

// TestStack: one request through everything, with a failure on the way: the retry is reserved and counted on its
// own, the second run comes from the cache and costs nothing, and meter and budget agree to the pico-dollar.
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
		var meter Meter
		var tape bytes.Buffer
		budget := NewBudget(money.Dollar)
		rec := NewRecorder(&tape)
		m := Stack(h, StackConfig{Role: "worker", Meter: &meter, Cache: cache, Budget: budget,
			Limiter: NewLimiter(LimitConfig{MaxInFlight: 2}), Recorder: rec})
		for range 2 {
			if _, err := m.Complete(t.Context(), question("a")); err != nil {
				t.Fatal(err)
			}
		}
		want := RoleUsage{Role: "worker", Model: "p/m", Calls: 2, FromCache: 1, Attempts: 2,
			Usage: Usage{InputTokens: 100, CachedTokens: 40, OutputTokens: 10}, Cost: usd(t, "0.00045")}
		if diff := cmp.Diff([]RoleUsage{want}, meter.Rows()); diff != "" {
			t.Errorf("meter (-want +got):\n%s", diff)
		}
		if r := budget.Report(); r.Spent != want.Cost || r.Reserved != 0 {
			t.Errorf("budget %+v", r)
		}
		if want.CacheHitRate() != 0.4 || *meter.Role("").CostKnown() != want.Cost {
			t.Error("sums are wrong")
		}
		if rec.Err() != nil || strings.Count(tape.String(), "\n") != 2 {
			t.Errorf("cassette: %v, %q", rec.Err(), tape.String())
		}
		// A call that the budget refuses is counted as failed, and nothing went out.
		poor := Stack(h, StackConfig{Role: "worker", Meter: &meter, Budget: NewBudget(1)})
		if _, err := poor.Complete(t.Context(), question("b")); !errors.Is(err, ErrBudget) || calls != 2 {
			t.Errorf("%v after %d calls", err, calls)
		}
		if row := meter.Rows()[0]; row.Failed != 1 || row.Attempts != 2 || row.Unpriced != 0 {
			t.Errorf("after the refusal: %+v", row)
		}
	})
}

// TestMeterUnknown: an unknown cost is not 0.
func TestMeterUnknown(t *testing.T) {
	var meter Meter
	replies := []struct {
		resp Response
		err  error
	}{{Response{Usage: Usage{InputTokens: 5}}, nil}, {Response{}, &Error{Kind: KindTruncated}}, {Response{}, &Error{Kind: KindAuth}}}
	i := 0
	m := meter.Attempts(Func(func(context.Context, Request) (Response, error) { i++; return replies[i-1].resp, replies[i-1].err }), "root",
		"p/m")
	for range replies {
		m.Complete(t.Context(), Request{})
	}
	if row := meter.Role("root"); row.Unpriced != 2 || row.CostKnown() != nil || row.Attempts != 3 {
		t.Errorf("%+v", row)
	}
}

func TestCassette(t *testing.T) {
	var tape bytes.Buffer
	calls := 0
	cost := money.Dollar / 7
	live := Func(func(ctx context.Context, r Request) (Response, error) {
		calls++
		switch r.Messages[0].Content {
		case "fail":
			return Response{}, &Error{Kind: KindRateLimit, Status: 429, Message: "slow down"}
		case "given up":
			return Response{}, &Error{Kind: KindCanceled}
		}
		return Response{Text: strings.Repeat("x", calls), Reasoning: "r", Finish: FinishStop, Cost: &cost, Usage: Usage{InputTokens: 3},
			ToolCalls: []ToolCall{{ID: "1", Name: "f", Arguments: "{"}}}, nil
	})
	rec := NewRecorder(&tape)
	m := rec.Wrap(live, "p/m")
	var want []Response
	for _, text := range []string{"a", "a", "b", "fail", "given up"} {
		resp, _ := m.Complete(t.Context(), question(text))
		want = append(want, resp)
	}
	tape.WriteString(`{"hash":"cut off`)
	c, err := ReadCassette(&tape)
	if err != nil {
		t.Fatal(err)
	}
	replay := c.Model("p/m")
	for i, text := range []string{"a", "a", "b"} {
		got, err := replay.Complete(t.Context(), question(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Errorf("call %d (-recorded +replayed):\n%s", i, diff)
		}
	}
	if got, err := replay.Complete(t.Context(), question("a")); err != nil || got.Text != want[1].Text {
		t.Errorf("a third time: %+v, %v, want the last reply again", got, err)
	}
	if _, err := replay.Complete(t.Context(), question("fail")); KindOf(err) != KindRateLimit || !strings.Contains(err.Error(), "slow down") {
		t.Errorf("recorded failure: %v", err)
	}
	for _, text := range []string{"given up", "never asked"} {
		if _, err := replay.Complete(t.Context(), question(text)); KindOf(err) != KindReplay {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := ReadCassette(strings.NewReader("{}\n{}\n")); err == nil {
		t.Error("a bad line in the middle was read")
	}
}

func FuzzReadCassette(f *testing.F) {
	f.Add([]byte(`{"hash":"h","model":"p/m","request":{"messages":null},"response":{"text":"x","finish":"stop","cost_usd":0.1}}` + "\n"))
	f.Add([]byte(`{"hash":"h","error":{"kind":"auth"}}`))
	f.Add([]byte("\n\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadCassette(bytes.NewReader(data))
		if err == nil {
			c.Model("p/m").Complete(context.Background(), Request{})
		}
	})
}

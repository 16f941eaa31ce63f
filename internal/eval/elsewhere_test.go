package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// distant is another machine, which is told everything in JSON.
type distant struct {
	t *testing.T
	c Config

	mu      sync.Mutex
	todo    int
	pool    *llm.Budget
	settled money.USD
	played  int
	dies    bool             // each rollout, behind its last call
	stop    func(played int) // told before each rollout
}

func (d *distant) Open(_ context.Context, todo []Work, limit *money.USD, gone money.USD) error {
	d.todo = len(todo)
	if limit != nil {
		d.pool = llm.NewBudget(*limit - gone)
		for _, w := range todo {
			d.pool.Replaying(w.Before())
		}
	}
	return nil
}

func (d *distant) Play(ctx context.Context, w Work, _ env.Task) (p Performed, err error) {
	d.mu.Lock()
	d.played++
	if d.stop != nil {
		d.stop(d.played)
	}
	d.mu.Unlock()
	there, err := json.Marshal(w)
	if err != nil {
		return p, err
	}
	if w = (Work{}); json.Unmarshal(there, &w) != nil {
		d.t.Error("the work is unreadable")
	}
	past, _, err := trace.Read(bytes.NewReader(w.Past))
	if err != nil {
		return p, err
	}
	journal := &runtest.Journal{}
	journal.Write(w.Past)
	done, err := Perform(ctx, d.c, w, trace.NewWriter(journal, int64(len(past)), d.c.Now, nil), past, d.pool)
	if err == nil && d.dies {
		err = errors.New("no machine could finish it")
	}
	if err != nil {
		p.Journal = journal.Bytes()
		return p, err
	}
	back, err := json.Marshal(done)
	if err == nil {
		err = json.Unmarshal(back, &p)
	}
	p.Journal = journal.Bytes()
	return p, err
}

func (d *distant) Saved(_ context.Context, _ Work, most money.USD) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settled += most
	return nil
}

// TestElsewhereIsAsHere: what other machines play leaves the same bytes, their clocks ten minutes ahead.
func TestElsewhereIsAsHere(t *testing.T) {
	for name, c := range map[string]struct {
		complete llm.Func
		change   func(*Options)
	}{
		"answers": {guesser, func(*Options) {}},
		"failures": {func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{}, &llm.Error{Kind: llm.KindEmpty}
		}, func(o *Options) { o.Examples = 1 }},
		"no turns": {guesser, func(o *Options) { o.MaxTurns = 1 }},
	} {
		here, there := options(t, 6, 3), options(t, 6, 3)
		c.change(&here)
		c.change(&there)
		_, hereErr := Run(t.Context(), here, config(c.complete))
		far := config(c.complete)
		now := far.Now
		far.Now = func() time.Time { return now().Add(10 * time.Minute) }
		d, asked := &distant{t: t, c: far}, config(nil)
		asked.Root = config(c.complete).Root
		asked.Elsewhere = d
		_, thereErr := Run(t.Context(), there, asked)
		if (hereErr == nil) != (thereErr == nil) {
			t.Errorf("%s: %v here, %v there", name, hereErr, thereErr)
		}
		rowsHere, rowsThere := read(t, here.Out, ResultsName), read(t, there.Out, ResultsName)
		for i, row := range bytes.Split(rowsHere, []byte("\n")) {
			if got := bytes.Split(rowsThere, []byte("\n")); i >= len(got) || !bytes.Equal(got[i], row) {
				t.Errorf("%s: another row %d: %s", name, i, cmp.Diff(string(row), string(got[min(i, len(got)-1)])))
				break
			}
		}
		tracesThere := bytes.ReplaceAll(read(t, there.Out, TracesName), []byte("08:10:00"), []byte("08:00:00"))
		if !bytes.Equal(read(t, here.Out, TracesName), tracesThere) {
			t.Errorf("%s: other traces", name)
		}
		if d.todo != there.Examples*there.Rollouts || d.played != d.todo {
			t.Errorf("%s: %d announced, %d played", name, d.todo, d.played)
		}
	}
}

// TestInterruptedElsewhere: an eval that was interrupted on other machines continues on this one, and ends with the same
// rows; and one that was interrupted here continues there.
func TestInterruptedElsewhere(t *testing.T) {
	whole := options(t, 10, 2)
	if _, err := Run(t.Context(), whole, config(guesser)); err != nil {
		t.Fatal(err)
	}
	for _, first := range []bool{true, false} {
		o := options(t, 10, 2)
		o.Concurrency = 2
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		var mu sync.Mutex
		interrupted := config(func(ctx context.Context, r llm.Request) (llm.Response, error) {
			mu.Lock()
			if calls++; calls == 17 {
				cancel()
			}
			mu.Unlock()
			return guesser(ctx, r)
		})
		machine := func(c Config, elsewhere bool) Config {
			if elsewhere {
				c.Elsewhere = &distant{t: t, c: c}
			}
			return c
		}
		if _, err := Run(ctx, o, machine(interrupted, first)); err == nil {
			t.Fatal("it was not interrupted")
		}
		if _, err := Resume(t.Context(), o.Out, nil, func(Options) (Config, error) { return machine(config(guesser), !first), nil }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read(t, whole.Out, ResultsName), read(t, o.Out, ResultsName)) {
			t.Errorf("interrupted elsewhere %v: other rows", first)
		}
		cancel()
	}
}

// TestMoneyElsewhere: what rows cost is settled, and a budget that runs out ends the eval as it does here.
func TestMoneyElsewhere(t *testing.T) {
	for limit, full := range map[money.USD]bool{100_000: true, 300: false} {
		p, o := &paidGuesser{killAt: 1 << 30}, options(t, 5, 3)
		o.Budget, o.Concurrency = &limit, 1
		c := p.config()
		d := &distant{t: t, c: p.config()}
		c.Elsewhere = d
		out, err := Run(t.Context(), o, c)
		if (err == nil) != full || p.charged > limit {
			t.Errorf("of %v, %v were charged: %v", limit, p.charged, err)
		}
		if d.settled != p.charged || *out.Summary.Usage.AtMost != p.charged {
			t.Errorf("%v were charged, %v settled, the summary says %v", p.charged, d.settled, out.Summary.Usage.AtMost)
		}
	}
}

// TestTheCapHoldsForFailedRolloutsElsewhere: what they cost counts, and is not there to be spent when they are played again, be it
// that the policy fails or the machines that play.
func TestTheCapHoldsForFailedRolloutsElsewhere(t *testing.T) {
	for name, dies := range map[string]bool{"the policy": false, "the machines": true} {
		t.Run(name, func(t *testing.T) {
			const limit = 46
			p, o := &paidGuesser{killAt: 10_000, fail: func(turn int) bool { return turn > 1 }}, options(t, 4, 1)
			o.Concurrency, o.Budget = 1, new(money.USD(limit))
			far := func(dies bool) Config {
				c := p.config()
				c.Elsewhere = &distant{t: t, c: p.config(), dies: dies}
				return c
			}
			first := far(dies)
			out, err := Run(t.Context(), o, first)
			if s := out.Summary; s.Errors < 3 || p.charged != 40 || *s.Usage.AtMost != 40 {
				t.Fatalf("%d were charged, %v, %+v", p.charged, err, s.Usage)
			}
			if d := first.Elsewhere.(*distant); d.settled != p.charged {
				t.Errorf("%d were charged, %d settled", p.charged, d.settled)
			}
			p.fail = nil
			out, err = Resume(t.Context(), o.Out, nil, func(Options) (Config, error) { return far(false), nil })
			if err == nil || p.charged > limit {
				t.Errorf("%d were charged, and the cap is %d: %v", p.charged, limit, err)
			}
			if u := out.Summary.Usage; *u.AtMost+*u.UnfinishedAtMost != p.charged {
				t.Errorf("%d were charged, and all is settled: %+v", p.charged, u)
			}
		})
	}
}

func TestPerformedTravelsExactly(t *testing.T) {
	want := Performed{RanOut: true, Hopeless: &llm.Error{Kind: llm.KindAuth, Model: "m", Message: "no"}, Rollout: env.Rollout{
		Reward: math.NaN(), Parts: []env.Part{{Name: "a", Value: math.Inf(1), Weight: 0.1}}, Stop: env.StopTurns, Turns: 3,
		Metrics: map[string]float64{"x": math.Inf(-1), "y": 1.0 / 3}, Prompt: []llm.Message{{Role: "system", Content: "\u2028<&>"}},
		Generation: 7, Extra: json.RawMessage(`{"a":1}`)}}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Performed
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })); diff != "" {
		t.Error(diff)
	}
}

// FuzzPerformed reads what another machine says a rollout gave.
func FuzzPerformed(f *testing.F) {
	f.Add([]byte(`{"reward":"NaN","parts":[{"name":"a","value":"1","weight":"x"}],"metrics":{"a":"1e999"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var p Performed
		if json.Unmarshal(text, &p) != nil {
			return
		}
		if _, err := json.Marshal(p); err != nil {
			t.Errorf("read and not written: %v", err)
		}
	})
}

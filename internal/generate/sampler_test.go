package generate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"pgregory.net/rapid"
)

// many are n tasks that differ.
func many(n int) []dataset.Task {
	var all []dataset.Task
	for i := range n {
		t := tasks()["described"]
		t.ID, t.Text = fmt.Sprintf("MBPP/%d", i), fmt.Sprintf("Task number %d.", i)
		all = append(all, t)
	}
	return all
}

// fake answers as reply says, with a cost of 10 pico-dollars a call.
type fake struct {
	mu     sync.Mutex
	calls  int
	active int
	peak   int
	reply  func(call int, r llm.Request) (llm.Response, error)
}

func (f *fake) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	f.mu.Lock()
	f.calls++
	call := f.calls
	f.active++
	f.peak = max(f.peak, f.active)
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.active--; f.mu.Unlock() }()
	if f.reply != nil {
		if resp, err := f.reply(call, r); err != nil || resp.Finish != "" {
			return resp, err
		}
	}
	seed := int64(-1)
	if r.Seed != nil {
		seed = *r.Seed
	}
	cost := money.USD(10)
	return llm.Response{Text: fmt.Sprintf("%s seed %d", r.Messages[0].Content[:40], seed), Finish: llm.FinishStop,
		Usage: llm.Usage{InputTokens: 5, OutputTokens: 3}, Cost: &cost}, nil
}

func (f *fake) handle() llm.Handle { return llm.Handle{Name: "test/fake", Model: f} }

func TestSamplesOfATask(t *testing.T) {
	f := &fake{}
	s := sampler(t, generate.Config{Model: f.handle(), N: 3, Temperature: 0.8, Seed: 5, MaxTokens: 77, Concurrency: 2})
	var got []generate.Sample
	report, err := s.Run(t.Context(), many(4), nil, func(one generate.Sample) error { got = append(got, one); return nil })
	if err != nil || report.Made != 12 || report.Missing() != 0 || f.calls != 12 || f.peak > 2 {
		t.Fatalf("%+v, %v, %d calls, %d at once", report, err, f.calls, f.peak)
	}
	if *report.Cost != 120 || report.Usage != (llm.Usage{InputTokens: 60, OutputTokens: 36}) {
		t.Errorf("cost %v, usage %+v", report.Cost, report.Usage)
	}
	seeds, hashes := map[int64]bool{}, map[string]bool{}
	for _, one := range got {
		if one.Seed == nil || *one.Seed < 0 || *one.Temperature != 0.8 || one.MaxTokens != 77 || one.Model != "test/fake" ||
			one.Mode != string(generate.Chat) || one.Solution != nil {
			t.Fatalf("%+v", one)
		}
		if !strings.Contains(one.Completion, fmt.Sprint("seed ", *one.Seed)) {
			t.Errorf("the seed of the record is not the one that was sent: %s, %d", one.Completion, *one.Seed)
		}
		seeds[*one.Seed], hashes[one.Prompt] = true, true
	}
	if len(seeds) != 12 || len(hashes) != 4 {
		t.Errorf("%d seeds and %d prompts, want 12 and 4", len(seeds), len(hashes))
	}
	greedy := sampler(t, generate.Config{Model: f.handle()})
	_, err = greedy.Run(t.Context(), many(1), nil, func(one generate.Sample) error {
		if one.Seed != nil || *one.Temperature != 0 || one.MaxTokens != generate.DefaultMaxTokens {
			t.Errorf("greedy sample %+v", one)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestEndings: how a reply ended is kept, and a model that says nothing has answered.
func TestEndings(t *testing.T) {
	free := money.USD(0)
	tests := []struct {
		name       string
		reply      llm.Response
		err        error
		finish     llm.Finish
		text       string
		truncated  int
		empty      int
		lost       int
		costKnown  bool
		outputPaid int64
	}{
		{name: "stop", reply: llm.Response{Text: "x", Finish: llm.FinishStop, Cost: &free}, finish: "stop", text: "x", costKnown: true},
		{name: "length", reply: llm.Response{Text: "def f(", Finish: llm.FinishLength, Cost: &free}, finish: "length", text: "def f(", truncated: 1, costKnown: true},
		{name: "no price", reply: llm.Response{Text: "x", Finish: llm.FinishStop}, finish: "stop", text: "x"},
		{name: "empty", err: &llm.Error{Kind: llm.KindEmpty, Usage: llm.Usage{OutputTokens: 9}, Cost: &free}, finish: "empty", empty: 1, costKnown: true, outputPaid: 9},
		{name: "all went to thinking", err: &llm.Error{Kind: llm.KindEmpty, Usage: llm.Usage{OutputTokens: generate.DefaultMaxTokens}, Cost: &free}, finish: "length", truncated: 1, empty: 1, costKnown: true, outputPaid: generate.DefaultMaxTokens},
		{name: "filtered", err: &llm.Error{Kind: llm.KindFiltered, Cost: &free}, finish: "filter", empty: 1, costKnown: true},
		{name: "too long", err: &llm.Error{Kind: llm.KindContextLength}, lost: 1, costKnown: true},
		{name: "no reply", err: &llm.Error{Kind: llm.KindInvalid}, lost: 1, costKnown: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{reply: func(int, llm.Request) (llm.Response, error) { return tt.reply, tt.err }}
			var got []generate.Sample
			report, err := sampler(t, generate.Config{Model: f.handle()}).Run(t.Context(), many(1), nil,
				func(one generate.Sample) error { got = append(got, one); return nil })
			if err != nil || report.Truncated != tt.truncated || report.Empty != tt.empty || len(report.Lost) != tt.lost ||
				report.Missing() != tt.lost || (report.Cost != nil) != tt.costKnown || report.Usage.OutputTokens != tt.outputPaid {
				t.Errorf("%+v, %v", report, err)
			}
			if tt.lost == 0 && (len(got) != 1 || got[0].Finish != string(tt.finish) || got[0].Completion != tt.text ||
				got[0].Truncated() != (tt.truncated == 1)) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestGivingUp: what ends a run, and what does not.
func TestGivingUp(t *testing.T) {
	down := &llm.Error{Kind: llm.KindConnection, Message: "connection refused"}
	fail := func(err error, when func(call int) bool) func(int, llm.Request) (llm.Response, error) {
		return func(call int, _ llm.Request) (llm.Response, error) {
			if when(call) {
				return llm.Response{}, err
			}
			return llm.Response{}, nil
		}
	}
	after := func(n int) func(int) bool { return func(call int) bool { return call > n } }
	tests := []struct {
		name   string
		reply  func(int, llm.Request) (llm.Response, error)
		made   int
		lost   int
		halted bool
		budget bool
	}{
		{name: "a provider that dies half way", reply: fail(down, after(10)), made: 10, lost: 3, halted: true},
		{name: "one that fails now and then", reply: fail(down, func(call int) bool { return call%4 == 0 }), made: 15, lost: 5},
		{name: "a wrong key", reply: fail(&llm.Error{Kind: llm.KindAuth}, after(0)), lost: 1, halted: true},
		{name: "one prompt is refused", reply: fail(&llm.Error{Kind: llm.KindBadRequest}, func(call int) bool { return call == 7 }), made: 19, lost: 1},
		{name: "the first prompts are too long", reply: fail(&llm.Error{Kind: llm.KindContextLength}, func(call int) bool { return call <= 5 }), made: 15, lost: 5},
		{name: "every prompt is refused", reply: fail(&llm.Error{Kind: llm.KindBadRequest}, after(0)), lost: 1, halted: true},
		{name: "the money is gone", reply: fail(&llm.Error{Kind: llm.KindBudget}, after(4)), made: 4, halted: true, budget: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{reply: tt.reply}
			kept := 0
			report, err := sampler(t, generate.Config{Model: f.handle(), Concurrency: 1}).Run(t.Context(), many(20), nil,
				func(generate.Sample) error { kept++; return nil })
			halt, halted := errors.AsType[*generate.Halt](err)
			if halted != tt.halted || halted && halt.Budget != tt.budget || !halted && err != nil {
				t.Errorf("error %v", err)
			}
			if kept != tt.made || report.Made != tt.made || len(report.Lost) != tt.lost || report.Missing() != 20-tt.made {
				t.Errorf("%d kept, %+v", kept, report)
			}
			calls := tt.made + tt.lost
			if tt.budget {
				calls++ // the one that was refused
			}
			if f.calls != calls {
				t.Errorf("%d calls, want %d: it went on after giving up", f.calls, calls)
			}
		})
	}
}

// TestRepliesUnderWayAreKept: after Ctrl-C and after a failing sink nothing new begins; what was in progress and comes
// is handed on.
func TestRepliesUnderWayAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{reply: func(int, llm.Request) (llm.Response, error) { time.Sleep(time.Minute); return llm.Response{}, nil }}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(90*time.Second, cancel) // in the middle of the second four
		kept := 0
		report, err := sampler(t, generate.Config{Model: f.handle(), Concurrency: 4}).Run(ctx, many(20), nil,
			func(generate.Sample) error { kept++; return nil })
		if !errors.Is(err, context.Canceled) || kept != 8 || report.Made != 8 || f.calls != 8 {
			t.Errorf("%v, %d kept of %d calls", err, kept, f.calls)
		}
	})
	full := errors.New("no space left on device")
	f := &fake{}
	report, err := sampler(t, generate.Config{Model: f.handle(), Concurrency: 1}).Run(t.Context(), many(20), nil,
		func(generate.Sample) error { return full })
	if !errors.Is(err, full) || report.Made != 0 || f.calls != 1 {
		t.Errorf("%v, %+v, %d calls", err, report, f.calls)
	}
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{reply: func(int, llm.Request) (llm.Response, error) { time.Sleep(time.Second); return llm.Response{}, nil }}
		var last generate.Progress
		s := sampler(t, generate.Config{Model: f.handle(), Concurrency: 1, Observe: func(p generate.Progress) { last = p }})
		_, err := s.Run(t.Context(), many(10), func(task string, _ int) bool {
			return task == "MBPP/3" || task == "MBPP/4"
		}, func(generate.Sample) error {
			if last.Done == 5 && (last.Total != 10 || last.TokensPerSecond != 3 || last.Left != 5*time.Second || *last.Cost != 30 ||
				last.Elapsed != 3*time.Second) {
				t.Errorf("%+v", last)
			}
			return nil
		})
		if err != nil || last.Done != 10 || last.Left != 0 {
			t.Errorf("%+v, %v", last, err)
		}
	})
}

// TestBudgetIsExact: however many calls are in progress, the cap holds, and what it paid for is there.
func TestBudgetIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := money.USD(rapid.IntRange(0, 3000).Draw(t, "limit"))
		price := llm.Price{Output: 1_000_000} // a pico-dollar a token
		f := &fake{reply: func(int, llm.Request) (llm.Response, error) {
			cost := money.USD(60)
			return llm.Response{Text: "x", Finish: llm.FinishStop, Cost: &cost, Usage: llm.Usage{OutputTokens: 60}}, nil
		}}
		pool := llm.NewBudget(limit)
		h := f.handle()
		h.Model = llm.WithBudget(h.Model, pool, llm.BudgetConfig{Price: &price})
		s, err := generate.New(generate.Config{Model: h, MaxTokens: 100, Concurrency: rapid.IntRange(1, 8).Draw(t, "concurrency")})
		if err != nil {
			t.Fatal(err)
		}
		report, err := s.Run(context.Background(), many(30), nil, func(generate.Sample) error { return nil })
		if pool.Spent() > limit || *report.Cost != pool.Spent() {
			t.Fatalf("%v spent of %v, %v booked", pool.Spent(), limit, report.Cost)
		}
		want := 30
		if limit < 29*60+100 {
			want = max(0, int(limit-40)/60)
			if halt, ok := errors.AsType[*generate.Halt](err); !ok || !halt.Budget {
				t.Fatalf("error %v", err)
			}
		}
		if report.Made != want {
			t.Fatalf("%d samples for %d, want %d", report.Made, limit, want)
		}
	})
}

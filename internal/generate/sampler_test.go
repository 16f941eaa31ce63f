package generate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/google/go-cmp/cmp"
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
	cost := llm.USD(10)
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
			one.Mode != generate.Chat || one.Solution != nil {
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
	free := llm.USD(0)
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
			if tt.lost == 0 && (len(got) != 1 || got[0].Finish != tt.finish || got[0].Completion != tt.text ||
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
		limit := llm.USD(rapid.IntRange(0, 3000).Draw(t, "limit"))
		price := llm.Price{Output: 1_000_000} // a pico-dollar a token
		f := &fake{reply: func(int, llm.Request) (llm.Response, error) {
			cost := llm.USD(60)
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

// seconds are what differs between two runs.
var seconds = regexp.MustCompile(`"seconds":[^,]*,`)

var kind = rundir.Kind{Name: "test"}

func openDir(t *testing.T, path string) *rundir.Dir {
	t.Helper()
	d, err := rundir.Open(path, kind)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestResumeFromEveryCut: wherever a crash cuts the file, exactly the samples that are not whole in it are made again,
// with the same seeds, and the file ends up with every sample once.
func TestResumeFromEveryCut(t *testing.T) {
	f := &fake{}
	s := sampler(t, generate.Config{Model: f.handle(), N: 2, Temperature: 1, Concurrency: 1})
	run := func(path string) ([]byte, int) {
		t.Helper()
		d := openDir(t, path)
		defer d.Close()
		j, err := generate.OpenJournal(d, "samples.jsonl", false, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		before := f.calls
		if _, err := s.Run(t.Context(), many(3), j.Has, j.Add); err != nil {
			t.Fatal(err)
		}
		if j.Len() != 6 {
			t.Fatalf("%d samples", j.Len())
		}
		n := 0
		for one, err := range j.Samples() {
			if err != nil {
				t.Fatal(err)
			}
			if one.Index != n%2 {
				t.Errorf("sample %d is number %d", n, one.Index)
			}
			n++
		}
		if n != 6 {
			t.Errorf("%d samples are read", n)
		}
		text, err := os.ReadFile(filepath.Join(path, "samples.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return text, f.calls - before
	}
	whole, calls := run(t.TempDir())
	if calls != 6 {
		t.Fatalf("%d calls", calls)
	}
	clean := func(text []byte) string { return seconds.ReplaceAllString(string(text), "") }
	for at := range whole {
		if at%7 != 0 && whole[at] != '\n' && (at == 0 || whole[at-1] != '\n') { // every end and beginning of a line, and places within
			continue
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "samples.jsonl"), whole[:at], 0o644); err != nil {
			t.Fatal(err)
		}
		got, calls := run(dir)
		if want := 6 - strings.Count(string(whole[:at]), "\n"); calls != want {
			t.Fatalf("cut at byte %d: %d calls, want %d", at, calls, want)
		}
		if clean(got) != clean(whole) {
			t.Fatalf("cut at byte %d:\n%s", at, cmp.Diff(clean(whole), clean(got)))
		}
	}
}

// TestDamagedJournals are refused with the line, and left as they are.
func TestDamagedJournals(t *testing.T) {
	line := func(task string, index int) string {
		text, err := json.Marshal(generate.Sample{TaskID: task, Index: index, Prompt: "p"})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	tests := []struct{ name, text, want string }{
		{"no JSON", line("a", 0) + "{broken\n" + line("a", 1), "line 2: not a sample"},
		{"a blank line", line("a", 0) + "\n" + line("a", 1), "line 2: not a sample"},
		{"twice", line("a", 0) + line("b", 0) + line("a", 0), "line 3: a second sample 0 of a, whose first is in line 1"},
		{"negative", line("a", -1), "line 1: not a sample"},
		{"somebody else's", `{"task_id": "a", "completion": "x"}` + "\n", "no prompt_sha256"},
		{"refused", line("a", 0) + line("z", 0), "line 2: z is not asked for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := openDir(t, t.TempDir())
			defer d.Close()
			if err := os.WriteFile(d.File("samples.jsonl"), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := generate.OpenJournal(d, "samples.jsonl", false, func(s generate.Sample) error {
				if s.TaskID == "z" {
					return errors.New("z is not asked for")
				}
				return nil
			})
			if damaged, ok := errors.AsType[*generate.CorruptError](err); !ok || !strings.Contains(err.Error(), tt.want) || damaged.Hint() == "" {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if text, _ := os.ReadFile(d.File("samples.jsonl")); string(text) != tt.text {
				t.Errorf("the file became %q", text)
			}
		})
	}
	d := openDir(t, t.TempDir())
	defer d.Close()
	j, err := generate.OpenJournal(d, "samples.jsonl", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := errors.Join(j.Add(generate.Sample{TaskID: "a", Prompt: "p"}),
		j.Add(generate.Sample{TaskID: "a", Index: 1, Prompt: "p"})); err != nil {
		t.Fatal(err)
	}
	if err := j.Add(generate.Sample{TaskID: "a", Prompt: "p"}); err == nil || j.Len() != 2 {
		t.Errorf("the same sample twice: %v", err)
	}
}

// FuzzJournal: whatever lies in the directory under that name, it is opened or refused, and one that was opened takes a
// sample and reads back.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"task_id":"a","sample":0,"completion":"x","prompt_sha256":"p"}` + "\n"))
	f.Add([]byte(`{"task_id":"a","prompt_sha256":"p","cost_usd":1e99,"usage":{"input_tokens":-1}}` + "\n{"))
	f.Add([]byte("\n\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d := openDir(t, t.TempDir())
		defer d.Close()
		if err := os.WriteFile(d.File("s"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		j, err := generate.OpenJournal(d, "s", false, nil)
		if err != nil {
			return
		}
		defer j.Close()
		before := j.Len()
		if err := j.Add(generate.Sample{TaskID: "fuzz/new", Index: 1 << 40, Prompt: "p"}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range j.Samples() {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != before+1 {
			t.Fatalf("%d samples, want %d", n, before+1)
		}
	})
}

// TestALongTornLineIsRemoved: what a crash left of a long reply does not show again behind a short one.
func TestALongTornLineIsRemoved(t *testing.T) {
	d := openDir(t, t.TempDir())
	defer d.Close()
	torn := `{"task_id":"a","sample":0,"prompt_sha256":"p","completion":"` + strings.Repeat("x", 10_000)
	if err := os.WriteFile(d.File("s"), []byte(torn), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := generate.OpenJournal(d, "s", false, nil)
	if err != nil || j.Len() != 0 {
		t.Fatal(j.Len(), err)
	}
	defer j.Close()
	if err := j.Add(generate.Sample{TaskID: "a", Prompt: "p"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(d.File("s")); err != nil || strings.Contains(string(text), "xx") || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%v, %d bytes", err, len(text))
	}
}

package codeeval_test

import (
	"bytes"
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

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/google/go-cmp/cmp"
)

// adders are a set of n of them.
func adders(t testing.TB, n int) *dataset.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), "HumanEval.jsonl")
	runtest.WriteFile(t, path, runtest.Adders(n))
	set, err := dataset.Open(t.Context(), "humaneval", dataset.Options{Data: path, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// judge stands for the sandbox; a broken one lets everything pass.
type judge struct{ broken bool }

func (b judge) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	switch {
	case ctx.Err() != nil:
		return sandbox.Judgement{}, ctx.Err()
	case b.broken:
		return sandbox.Judgement{Verdict: sandbox.Passed}, nil
	}
	return runtest.JudgeAdder(p), nil
}

// coder is a base model that solves every task whose number is not odd. A call costs 100 pico-dollars.
type coder struct {
	mu    sync.Mutex
	calls int
	fail  func(call int) error
}

func (c *coder) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	c.mu.Lock()
	c.calls++
	call := c.calls
	c.mu.Unlock()
	if c.fail != nil {
		if err := c.fail(call); err != nil {
			return llm.Response{}, err
		}
	}
	if ctx.Err() != nil {
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Err: ctx.Err()}
	}
	n, ok := runtest.Adder(r.Prompt)
	if !ok {
		return llm.Response{}, errors.New("no task in the prompt")
	}
	cost := money.USD(100)
	return llm.Response{Text: fmt.Sprintf("\n    return x + %d\n\ndef next_one():", n-n%2), Finish: llm.FinishStop, Cost: &cost,
		Usage: llm.Usage{InputTokens: 20, OutputTokens: 10}}, nil
}

func (c *coder) open(pool *llm.Budget) (llm.Handle, error) {
	price := llm.Price{Output: 1_000_000} // a pico-dollar a token
	h := llm.Handle{Name: "test/coder-base", Model: c, Raw: true, Price: &price}
	if pool != nil {
		h.Model = llm.WithBudget(c, pool, llm.BudgetConfig{Price: &price})
	}
	return h, nil
}

func evalConfig(set *dataset.Set, m *coder) codeeval.EvalConfig {
	return codeeval.EvalConfig{VerifyConfig: codeeval.VerifyConfig{Set: set, Box: judge{}, Version: "test"}, Open: m.open}
}

func evalOptions(dir string) codeeval.EvalOptions {
	return codeeval.EvalOptions{Dataset: "humaneval", Model: "test/coder-base", Samples: 2, Temperature: 0.5, MaxTokens: 100,
		Concurrency: 1, Out: dir}
}

// times are what differs between two runs.
var times = regexp.MustCompile(`"seconds": ?[^,]*,?`)

func timeless(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(string(text), "")
}

func TestEval(t *testing.T) {
	set, m := adders(t, 5), &coder{}
	dir := filepath.Join(t.TempDir(), "run")
	c := evalConfig(set, m)
	var last codeeval.EvalProgress
	c.Progress = func(p codeeval.EvalProgress) { last = p }
	out, err := codeeval.Eval(t.Context(), evalOptions(dir), c)
	if err != nil {
		t.Fatal(err)
	}
	s, g := out.Summary.CodeSummary, out.Summary.Generation
	if m.calls != 10 || s.Total != 10 || s.Passed != 6 || s.PassAtK["1"] != 0.6 || s.PassAtK["2"] != 0.6 || s.Withheld != "" ||
		!s.Complete || s.Partial || s.CI95 == nil {
		t.Errorf("%d calls, summary %+v", m.calls, s)
	}
	if g.Made != 10 || g.Wanted != 10 || g.Prompt != string(generate.Complete) || *g.Cost != 1000 || g.Usage.OutputTokens != 100 ||
		g.Truncated+g.Empty+g.Lost != 0 {
		t.Errorf("generation %+v", g)
	}
	if last.Done != 10 || last.Verified != 10 || last.Passed != 6 || last.Controls != last.ControlsTotal || last.ControlsTotal == 0 {
		t.Errorf("progress %+v", last)
	}
	var saved runfile.CodeEvalSummary
	text, err := os.ReadFile(filepath.Join(dir, codeeval.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &saved); err != nil || saved.Passed != 6 || saved.Generation.Made != 10 {
		t.Errorf("summary.json: %v, %+v", err, saved)
	}
	// What the directory holds is what code verify reads: the same verdicts come of it.
	again, err := codeeval.Verify(t.Context(), codeeval.VerifyOptions{Dataset: "humaneval",
		Samples: filepath.Join(dir, codeeval.SamplesName)}, c.VerifyConfig)
	if err != nil || again.Summary.Passed != 6 || again.Summary.Total != 10 {
		t.Errorf("verified again: %+v, %v", again.Summary, err)
	}
	var shown bytes.Buffer
	if err := codeeval.WriteEvalSummary(&shown, out.Summary); err != nil ||
		!strings.Contains(shown.String(), "10 of 10 samples, 200 tokens in, 100 out, $") || !strings.Contains(shown.String(), "pass@1") {
		t.Errorf("%v\n%s", err, shown.String())
	}
	if !codeeval.IsEval(dir) || codeeval.IsVerify(dir) || codeeval.IsEval(t.TempDir()) {
		t.Error("the directory is taken for another kind of run")
	}
}

// TestEvalResumesFromEveryCut: wherever a crash cuts samples and results, resuming makes exactly the samples that are
// missing, and leaves the files of an uninterrupted run.
func TestEvalResumesFromEveryCut(t *testing.T) {
	set, m := adders(t, 3), &coder{}
	c := evalConfig(set, m)
	whole := filepath.Join(t.TempDir(), "run")
	if _, err := codeeval.Eval(t.Context(), evalOptions(whole), c); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	samples, results := read(codeeval.SamplesName), read(codeeval.ResultsName)
	for at := 0; at <= len(samples); at += 61 {
		dir := t.TempDir()
		n := bytes.Count(samples[:at], []byte("\n"))
		judged := 0
		for line := range bytes.Lines(results) { // no row comes before its sample
			if bytes.Count(results[:judged], []byte("\n")) < n {
				judged += len(line)
			}
		}
		for name, text := range map[string][]byte{rundir.ManifestName: read(rundir.ManifestName), codeeval.SamplesName: samples[:at],
			codeeval.ResultsName: results[:max(0, judged-at%97)]} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		before := m.calls
		out, err := codeeval.ResumeEval(t.Context(), dir, nil, func(codeeval.EvalOptions) (codeeval.EvalConfig, error) { return c, nil })
		if err != nil {
			t.Fatalf("cut at %d: %v", at, err)
		}
		if calls := m.calls - before; calls != 6-n {
			t.Fatalf("cut at %d: %d calls, want %d", at, calls, 6-n)
		}
		if g := out.Summary.Generation; g.Made != 6 || *g.Cost != 600 || out.Summary.Passed != 4 {
			t.Fatalf("cut at %d: %+v", at, out.Summary)
		}
		for _, name := range []string{codeeval.SamplesName, codeeval.ResultsName} {
			if diff := cmp.Diff(timeless(t, whole, name), timeless(t, dir, name)); diff != "" {
				t.Fatalf("cut at %d: %s (-whole +resumed):\n%s", at, name, diff)
			}
		}
	}
}

// TestEvalStops: a model that dies, an empty budget, Ctrl-C: what is finished is kept, the error says how to continue,
// and continuing ends with the same score.
func TestEvalStops(t *testing.T) {
	down := &llm.Error{Kind: llm.KindConnection, Message: "connection refused"}
	tests := []struct {
		name   string
		fail   func(cancel func()) func(int) error
		budget money.USD
		want   string
		hint   string
		made   int
	}{
		{name: "the provider dies half way", fail: func(func()) func(int) error {
			return func(call int) error {
				if call > 4 {
					return down
				}
				return nil
			}
		}, want: "4 of 10 samples are done: 3 samples in a row were lost: connection refused", hint: "finished samples are not repeated", made: 4},
		{name: "one sample is lost", fail: func(func()) func(int) error {
			return func(call int) error {
				if call == 4 {
					return down
				}
				return nil
			}
		}, want: "9 of 10 samples are done: 1 samples could not be made; the first, sample 1 of HumanEval/1: connection refused", hint: "deeprepo resume", made: 9},
		{name: "the money is gone", budget: 650, want: "6 of 10 samples are done: the budget is used up", hint: "--budget USD", made: 6},
		{name: "Ctrl-C", fail: func(cancel func()) func(int) error {
			return func(call int) error {
				if call == 8 {
					cancel()
				}
				return nil
			}
		}, want: "7 of 10 samples are done: it was interrupted", hint: "deeprepo resume", made: 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set, m := adders(t, 5), &coder{}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.fail != nil {
				m.fail = tt.fail(cancel)
			}
			o := evalOptions(filepath.Join(t.TempDir(), "run"))
			if tt.budget > 0 {
				o.Budget = &tt.budget
			}
			out, err := codeeval.Eval(ctx, o, evalConfig(set, m))
			stopped, ok := errors.AsType[*rundir.Stopped](err)
			if !ok || !strings.Contains(err.Error(), tt.want) || !strings.Contains(stopped.Hint(), tt.hint) || stopped.Budget != (tt.budget > 0) {
				t.Fatalf("error %v, hint %q; want %q", err, stopped.Hint(), tt.want)
			}
			if s := out.Summary; s.Generation.Made != tt.made || s.Withheld == "" || len(s.PassAtK) != 0 {
				t.Errorf("a score is given over a part: %+v", s)
			}
			m.fail = nil
			enough := money.USD(1200)
			m.calls = 0
			out, err = codeeval.ResumeEval(t.Context(), o.Out, &enough, func(codeeval.EvalOptions) (codeeval.EvalConfig, error) {
				return evalConfig(set, m), nil
			})
			if err != nil || m.calls != 10-tt.made || out.Summary.Passed != 6 || *out.Summary.Generation.Cost != 1000 {
				t.Errorf("resumed with %d calls: %v, %+v", m.calls, err, out.Summary)
			}
		})
	}
}

// TestNothingIsAskedBeforeTheGate: when the harness is wrong no money is spent and no directory is left.
func TestNothingIsAskedBeforeTheGate(t *testing.T) {
	m := &coder{}
	c := evalConfig(adders(t, 2), m)
	c.Box = judge{broken: true}
	dir := filepath.Join(t.TempDir(), "run")
	_, err := codeeval.Eval(t.Context(), evalOptions(dir), c)
	if _, ok := errors.AsType[*verify.GateError](err); !ok || m.calls != 0 {
		t.Errorf("%v after %d calls", err, m.calls)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("a directory is left")
	}
}

// TestEvalRefuses what would mix samples of different makings, and options that cannot be.
func TestEvalRefuses(t *testing.T) {
	set, m := adders(t, 3), &coder{}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := codeeval.Eval(t.Context(), evalOptions(dir), evalConfig(set, m)); err != nil {
		t.Fatal(err)
	}
	resume := func(set *dataset.Set) error {
		_, err := codeeval.ResumeEval(t.Context(), dir, nil, func(codeeval.EvalOptions) (codeeval.EvalConfig, error) {
			return evalConfig(set, m), nil
		})
		return err
	}
	if err := resume(adders(t, 4)); err == nil || !strings.Contains(err.Error(), "was changed, or the dataset was") {
		t.Errorf("another dataset: %v", err)
	}
	name := filepath.Join(dir, codeeval.SamplesName)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for _, tt := range []struct{ from, to, want string }{
		{`"sample":0`, `"sample":7`, "line 7: sample 7 of HumanEval/0 is no part of this run"},
		{`HumanEval/0`, `HumanEval/9`, "is no part of this run"},
		{`"sample":0`, `"sample":0`, "a second sample 0 of HumanEval/0"},
		{`"prompt_sha256":"`, `"prompt_sha256":"0`, "made with another prompt"},
	} {
		if err := os.WriteFile(name, []byte(string(text)+strings.Replace(line, tt.from, tt.to, 1)+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := resume(set); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.to, err, tt.want)
		}
	}
	two, none, over := 1.5, 0.0, money.USD(5)
	for name, change := range map[string]func(*codeeval.EvalOptions){
		"temperature 3":   func(o *codeeval.EvalOptions) { o.Temperature = 3 },
		"top-p 1.5":       func(o *codeeval.EvalOptions) { o.TopP = &two },
		"top-p 0":         func(o *codeeval.EvalOptions) { o.TopP = &none },
		"negative":        func(o *codeeval.EvalOptions) { o.Samples = -1 },
		"at most 1000000": func(o *codeeval.EvalOptions) { o.Samples = 400_000 },
		"has no task":     func(o *codeeval.EvalOptions) { o.IDs = []string{"HumanEval/77"} },
		"already holds":   func(o *codeeval.EvalOptions) { o.Out = dir },
		"0 of 6 samples":  func(o *codeeval.EvalOptions) { o.Budget = &over },
		"no task to do":   func(o *codeeval.EvalOptions) { o.Limit = 0; o.Dataset = "none" },
	} {
		o := evalOptions(filepath.Join(t.TempDir(), "run"))
		change(&o)
		c := evalConfig(set, m)
		if o.Dataset == "none" {
			c.Set = &dataset.Set{}
		}
		if _, err := codeeval.Eval(t.Context(), o, c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlan shows the first prompt and asks no model.
func TestPlan(t *testing.T) {
	m := &coder{}
	o := evalOptions("")
	o.IDs = []string{"2", "1"}
	plan, err := codeeval.PlanEval(o, evalConfig(adders(t, 3), m))
	if err != nil || plan.Tasks != 2 || plan.First != "HumanEval/1" || !strings.Contains(plan.Prompt.Text, "def add_1(x)") ||
		plan.Estimate.Samples != 4 || plan.Estimate.Output != 400 || *plan.Estimate.Most != 400 || m.calls != 0 {
		t.Errorf("%+v, %v", plan, err)
	}
}

// TestLostCallsStaySpent: a call that broke off may have been billed; the budget of a resumed eval knows of it.
func TestLostCallsStaySpent(t *testing.T) {
	set, m := adders(t, 3), &coder{}
	m.fail = func(call int) error {
		if call == 2 {
			return &llm.Error{Kind: llm.KindTruncated}
		}
		return nil
	}
	o := evalOptions(filepath.Join(t.TempDir(), "run"))
	o.Samples = 1
	limit := money.USD(400)
	o.Budget = &limit
	out, err := codeeval.Eval(t.Context(), o, evalConfig(set, m))
	if err == nil || out.Summary.Generation.Made != 2 || *out.Summary.Generation.Cost != 200 || *out.Summary.Generation.Spent != 300 {
		t.Fatalf("%v, %+v", err, out.Summary.Generation)
	}
	resume := func(budget money.USD) (codeeval.EvalOutcome, error) {
		return codeeval.ResumeEval(t.Context(), o.Out, &budget, func(codeeval.EvalOptions) (codeeval.EvalConfig, error) {
			return evalConfig(set, m), nil
		})
	}
	if _, err := resume(250); err == nil || !strings.Contains(err.Error(), "were spent already") {
		t.Errorf("a budget below what was spent: %v", err)
	}
	if out, err = resume(400); err != nil || *out.Summary.Generation.Spent != 400 || *out.Summary.Generation.Cost != 300 {
		t.Errorf("%v, %+v", err, out.Summary.Generation)
	}
}

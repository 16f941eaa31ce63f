package bench

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// writeTask is what the command line hands in.
func writeTask(dir string, t env.Task) error {
	for _, p := range t.Codebase.Paths() {
		text, _ := t.Codebase.Text(p)
		full := filepath.Join(dir, taskset.TreeName, p)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for name, v := range map[string]any{taskset.TruthName: t.Defects, taskset.DecoysName: t.Decoys} {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// priced is a root that costs a dollar a turn: it dispatches every file, then answers. calls counts its turns.
func priced(calls *atomic.Int64) llm.Handle {
	h, _ := policy.Handle("honest")
	play := h.Model
	h.Model = llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
		out, err := play.Complete(ctx, r)
		calls.Add(1)
		cost := money.Dollar
		out.Cost = &cost
		return out, err
	})
	h.Name, h.Price, h.Local = "fake/priced", &llm.Price{Output: 122 * money.Dollar}, false
	h.Scripted = false
	return h
}

// newEnv knows the policies, offline/orchestrator, fake/down, fake/priced and fake/unpriced.
func newEnv(t *testing.T, calls *atomic.Int64) Env {
	t.Helper()
	registry := llm.NewRegistry(nil)
	registry.Register("offline", func(string) (llm.Handle, error) { return offline.Handle(), nil }, "orchestrator")
	registry.Register("policy", func(name string) (llm.Handle, error) { h, _ := policy.Handle(name); return h, nil }, policy.Names()...)
	registry.Register("fake", func(name string) (llm.Handle, error) {
		switch name {
		case "priced":
			return priced(calls), nil
		}
		if name == "looker" {
			look := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
				cell := "outliers()\nvariants(list(codebase))\nsymbols(list(codebase)[0])"
				if len(r.Messages) > 1 {
					cell = `set_answer("# Report")`
				}
				return llm.Response{Text: "```python\n" + cell + "\n```", Finish: llm.FinishStop}, nil
			})
			return llm.Handle{Name: "fake/looker", Price: llm.NotBilled(), Model: look}, nil
		}
		return llm.Handle{Name: "fake/" + name, Price: llm.NotBilled(), Model: llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{}, &llm.Error{Kind: llm.KindAuth, Message: "the key is refused"}
		})}, nil
	}, "priced", "down", "looker")
	return Env{
		Registry: registry, Sandbox: engine, Syntax: runtest.OpenParser, Version: "test", WriteTask: writeTask, Say: func(s string) { t.Log(s) },
		Environment: func(ctx context.Context, name string) (env.Environment, error) {
			return catalog.Open(ctx, name, catalog.Options{Parser: runtest.OpenParser})
		},
	}
}

func spec(t *testing.T, out string, configs ...ConfigSpec) Spec {
	t.Helper()
	return Spec{Out: out, Target: configs[0].Name, Configs: configs, Codebases: []CodebaseSpec{
		{Environment: "orchestration", Language: "python"}, {Environment: "orchestration", Language: "go", Index: 1}}}
}

var (
	honest = ConfigSpec{Name: "honest", Root: "policy/honest", Worker: "sim"}
	random = ConfigSpec{Name: "random", Root: "policy/random", Worker: "sim", Strategy: env.StrategyPrompt}
	script = ConfigSpec{Name: "script", Root: "offline/orchestrator", Worker: "sim", Strategy: env.StrategyGate}
	single = ConfigSpec{Name: "single", Root: "sim", Strategy: env.StrategySingle}
	down   = ConfigSpec{Name: "down", Root: "fake/down", Worker: "sim"}
)

// Real reviews of generated codebases.
func TestPolicies(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	got, err := Run(t.Context(), spec(t, out, honest, random, script, single), newEnv(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	r := got.Result
	for i, row := range r.Rows {
		if row.Done != 2 || row.CostUSD == nil || *row.CostUSD != 0 || row.Truth == nil || row.Truth.Total < 10 {
			t.Errorf("row %d: %+v", i, row)
		}
		for _, run := range row.Runs {
			if _, err := os.Stat(filepath.Join(out, run.Dir, "report.html")); err != nil {
				t.Error(err)
			}
		}
	}
	if q := *r.Rows[0].Quality; q < 0.9 || r.Rows[0].Grade != "A" || *r.Rows[0].Coverage < 0.99 {
		t.Errorf("honest: quality %v", q)
	}
	if q := *r.Rows[1].Quality; q > 0.6 || *r.Rows[1].Coverage > 0.8 {
		t.Errorf("random: quality %v", q)
	}
	if n := *r.Rows[3].Dispatches; n != 0 || *r.Rows[3].Coverage < 0.99 || r.Rows[3].Truth.Found == 0 {
		t.Errorf("single: %d dispatches, %+v", n, r.Rows[3].Truth)
	}
	if len(r.Gap) != 3 || *r.Gap[0].Measures[0].Ratio < 1 || *r.Gap[0].Measures[1].Value > *r.Gap[0].Measures[1].Target {
		t.Errorf("gap: %+v", r.Gap)
	}
	if m := r.Gap[0].Measures[1]; *m.Target != *m.TargetOf || *m.TargetOf < 1 {
		t.Errorf("honest reads everything, and %v of %v groups", *m.Target, *m.TargetOf)
	}
	if len(r.Tests) != 3 {
		t.Errorf("%d tests, want 3", len(r.Tests))
	}
	for _, b := range r.Codebases {
		if s, err := codebase.Load(t.Context(), b.Path, codebase.Options{}); err != nil || s.Hash() != b.Hash {
			t.Errorf("%s: %v", b.Name, err)
		} else if _, ok := s.Text(taskset.TruthName); ok {
			t.Errorf("%s: the truth lies in the tree", b.Name)
		}
	}
	for _, name := range []string{"bench.json", "bench.md", "bench.html"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	page, err := os.ReadFile(filepath.Join(out, "bench.html"))
	if err != nil || !strings.Contains(string(page), `"kind":"bench"`) || !strings.Contains(string(page), `"status":"completed"`) ||
		strings.Contains(string(page), `"live":true`) {
		t.Errorf("bench.html is not the page of a bench that is done (%v)", err)
	}
	prompt, err := os.ReadFile(filepath.Join(out, r.Rows[1].Runs[0].Dir, review.ManifestName))
	if err != nil || !strings.Contains(string(prompt), `"gate": "prompt"`) || !strings.Contains(string(prompt), `"coverage": 0.9`) ||
		!strings.Contains(string(prompt), `"no_cache": true`) {
		t.Errorf("rlm+prompt is no gate: %v\n%s", err, prompt)
	}
}

// What is written is what the environment made: a reader of the files sees the same codebase as a rollout does.
func TestGeneratedTreeIsTheTask(t *testing.T) {
	e := newEnv(t, nil)
	environment, err := e.Environment(t.Context(), "orchestration")
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"python", "typescript", "go", "java"} {
		task, err := environment.Task(t.Context(), env.Selection{Language: language, Split: env.Heldout}, 0)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := rundir.Create(filepath.Join(t.TempDir(), "out"), kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		s, err := prepare(t.Context(), dir, 0, CodebaseSpec{Environment: "orchestration", Language: language, Split: env.Heldout}, e)
		if err != nil {
			t.Fatal(err)
		}
		if s.Hash != task.Codebase.Hash() {
			t.Errorf("%s: the tree differs from the task: %v, skipped %v", language, cmp.Diff(task.Codebase.Paths(), s.code.Paths()),
				s.code.Skipped())
		}
		if diff := cmp.Diff(task.Defects, s.defects); diff != "" {
			t.Errorf("%s: %s", language, diff)
		}
		if len(s.decoys) != len(task.Decoys) {
			t.Errorf("%s: %d decoys, want %d", language, len(s.decoys), len(task.Decoys))
		}
	}
}

// A root whose model always fails: its row says so, the others' rows are whole, and the bench is not complete.
// A benched root has the code graph, as every other root.
func TestABenchedRootHasTheGraph(t *testing.T) {
	s := spec(t, filepath.Join(t.TempDir(), "out"), ConfigSpec{Name: "looker", Root: "fake/looker", Worker: "sim", MaxTurns: 3})
	got, err := Run(t.Context(), s, newEnv(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range got.Result.Rows[0].Runs {
		if run.Turns != 2 || run.CellErrors != 0 {
			t.Errorf("%+v", run)
		}
	}
}

func TestFailingRoot(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	got, err := Run(t.Context(), spec(t, out, honest, down, script), newEnv(t, nil))
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || stopped.Done != 4 || stopped.Total != 6 || !strings.Contains(err.Error(), "the key is refused") {
		t.Fatalf("%v", err)
	}
	for i, want := range []int{2, 0, 2} {
		if got := got.Result.Rows[i].Done; got != want {
			t.Errorf("row %d: %d runs done, want %d", i, got, want)
		}
	}
	if r := got.Result.Rows[1].Runs[1]; !strings.Contains(r.Error, "the key is refused") || r.State != StateStopped {
		t.Errorf("%+v", r)
	}
}

// One budget for everything: it is never exceeded, others do not spend the remainder, and more money continues the
// bench.
func TestBudget(t *testing.T) {
	var calls atomic.Int64
	s := spec(t, filepath.Join(t.TempDir(), "out"), ConfigSpec{Name: "priced", Root: "fake/priced", Worker: "sim"}, script)
	most := 5.0
	s.Budget = &most
	got, err := Run(t.Context(), s, newEnv(t, &calls))
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || !stopped.Budget || !strings.Contains(stopped.Hint(), "--budget") {
		t.Fatalf("%v", err)
	}
	if n := calls.Load(); n > 5 {
		t.Errorf("%d dollars of 5 were spent", n)
	}
	if got.Result.Rows[0].Done != 1 || got.Result.Rows[0].Runs[1].State == StateDone {
		t.Errorf("%+v", got.Result.Rows[0])
	}
	if spent := *got.Result.SpentUSD; spent != float64(calls.Load()) {
		t.Errorf("spent %v by the tables, %d by the model", spent, calls.Load())
	}
	more := 11.0
	got, err = Resume(t.Context(), s.Out, &more, newEnv(t, &calls))
	if err != nil {
		t.Fatal(err)
	}
	if *got.Result.Rows[0].CostUSD != float64(calls.Load()) || calls.Load() > 11 {
		t.Errorf("%v by the table, %d by the model", *got.Result.Rows[0].CostUSD, calls.Load())
	}
}

func TestRefusals(t *testing.T) {
	e := newEnv(t, nil)
	for _, c := range []struct {
		config ConfigSpec
		want   string
	}{
		{ConfigSpec{Name: "x", Root: "policy/honset", Worker: "sim"}, "honset"},
		{ConfigSpec{Name: "x", Root: "sim", Worker: "sim"}, "writes no Python"},
		{ConfigSpec{Name: "x", Root: "nope/x", Worker: "sim"}, `no provider is called "nope"`},
	} {
		out := filepath.Join(t.TempDir(), "out")
		_, err := Run(t.Context(), spec(t, out, c.config), e)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("a bench that never began left a directory")
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	s := spec(t, out, honest)
	s.Codebases = []CodebaseSpec{{Environment: "orchestratoin"}}
	if _, err := Run(t.Context(), s, e); err == nil || !strings.Contains(err.Error(), "orchestratoin") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a bench that never began left a directory")
	}
	runtest.WriteFile(t, filepath.Join(out, "mine.txt"), "x")
	if _, err := Run(t.Context(), spec(t, out, honest), e); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("%v", err)
	}
}

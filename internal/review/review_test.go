package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// environment knows offline/orchestrator, a worker "fake/worker" and a reader "fake/reader" for single calls.
func environment(t *testing.T, worker, reader llm.Func) Env {
	registry := llm.NewRegistry(nil)
	registry.Register("offline", func(string) (llm.Handle, error) { return offline.Handle(), nil }, "orchestrator")
	registry.Register("fake", func(model string) (llm.Handle, error) {
		if model == "reader" {
			return llm.Handle{Model: reader, Context: 100_000}, nil
		}
		return llm.Handle{Model: worker}, nil
	}, "worker", "reader")
	return Env{Registry: registry, Sandbox: engine, Version: "test", Say: func(s string) { t.Log(s) }}
}

// finder is a worker that reports every line that says BUG.
func finder(_ context.Context, r llm.Request) (llm.Response, error) {
	type claim struct {
		File, Title, Severity, Category, Evidence string
		Line                                      int
		Explanation                               string
	}
	var found []claim
	path, line := "", 0
	for text := range strings.Lines(r.Messages[0].Content) {
		text = strings.TrimSuffix(text, "\n")
		if rest, ok := strings.CutPrefix(text, "=== FILE: "); ok {
			path, _, _ = strings.Cut(rest, " (lines")
			line = 0
			continue
		}
		if line++; strings.Contains(text, "BUG") {
			found = append(found, claim{path, "a bug in " + path, "high", "logic", text, line, "each run stops here"})
		}
	}
	data, err := json.Marshal(map[string]any{"summary": "read " + path, "findings": found})
	if err != nil {
		return llm.Response{}, err
	}
	lower := strings.NewReplacer(`"File"`, `"file"`, `"Title"`, `"title"`, `"Severity"`, `"severity"`, `"Category"`, `"category"`,
		`"Evidence"`, `"evidence"`, `"Line"`, `"line"`, `"Explanation"`, `"explanation"`)
	return llm.Response{Text: lower.Replace(string(data)), Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}}, nil
}

func buggy(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("pkg%d/mod%02d.py", i%3, i)] = fmt.Sprintf("import x\n\nvalue_%02d = compute(%d)  # BUG number "+
			"%d\nprint(value_%02d)\n", i, i, i, i)
	}
	return files
}

func TestTheOfflineRootReviewsEverything(t *testing.T) {
	path := runtest.Tree(t, buggy(20))
	out := filepath.Join(t.TempDir(), "run")
	got, err := Analyze(context.Background(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "fake/worker",
		Coverage: 1, GateMode: rlm.GateHold},
		environment(t, finder, nil))
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if r.Run.Status != "completed" || r.Coverage.Fraction != 1 || len(r.Findings) != 20 || r.Errors.Cell != 0 {
		t.Fatalf("run %+v, coverage %v, %d findings, errors %+v", r.Run, r.Coverage.Fraction, len(r.Findings), r.Errors)
	}
	code, err := codebase.Load(context.Background(), path, codebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		text, _ := code.Text(f.File)
		if lines := strings.Split(text, "\n"); lines[f.Line-1] != f.Evidence {
			t.Errorf("%s:%d says %q, the finding quotes %q", f.File, f.Line, lines[f.Line-1], f.Evidence)
		}
	}
	for _, want := range []string{"# Architecture overview", "# Bugs and issues", "# Development plan", "20 files", "`pkg0`"} {
		if !strings.Contains(r.Analysis, want) {
			t.Errorf("the analysis lacks %q", want)
		}
	}
	for _, name := range []string{"report.md", "report.html", "report.json", "report.sarif", "run.json", "trace.jsonl", "coverage.json"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	again, err := Resume(context.Background(), out, Changes{}, environment(t, func(context.Context, llm.Request) (llm.Response, error) {
		t.Error("a finished run asked a worker again")
		return llm.Response{}, errors.New("no")
	}, nil))
	if err != nil {
		t.Fatal(err)
	}
	again.Report.Run.DurationS = r.Run.DurationS
	if diff := cmp.Diff(r, again.Report); diff != "" {
		t.Errorf("a resumed report differs:\n%s", diff)
	}
}

func TestTheOfflineRootSurvivesItsWorkers(t *testing.T) {
	calls := 0
	flaky := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if calls++; calls == 1 {
			return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "not today"}
		}
		return finder(ctx, r)
	}
	files := buggy(4)
	for p := range files {
		for i := range 1000 {
			files[p] += fmt.Sprintf("# line %d that fills the prompts\n", i)
		}
	}
	got, err := Analyze(context.Background(), Options{Path: runtest.Tree(t, files), Out: t.TempDir(), Root: "offline/orchestrator",
		Worker: "fake/worker", Concurrency: 1, NoCache: true},
		environment(t, flaky, nil))
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Report; r.Run.Status != "completed" || r.Coverage.Fraction != 1 || len(r.Findings) != 4 || r.Errors.Dispatch == 0 {
		t.Errorf("status %s, coverage %v, %d findings, %d failed dispatches", r.Run.Status, r.Coverage.Fraction, len(r.Findings),
			r.Errors.Dispatch)
	}
}

func TestBaselineReadsFairlyAndSaysWhatItLeftOut(t *testing.T) {
	files := map[string]string{"main.py": "if __name__ == '__main__':\n    run()  # BUG\n"}
	for i := range 40 {
		files[fmt.Sprintf("m%02d.py", i)] = strings.Repeat(fmt.Sprintf("line_of_%02d = 1\n", i), 20+i*40)
	}
	reader := func(_ context.Context, r llm.Request) (llm.Response, error) {
		text := "# Report\n\nIt runs.\n\n```json\n{\"findings\": [{\"file\": \"main.py\", \"line\": 9, \"title\": \"a bug\", \"severity\": " +
			"\"high\", \"category\": \"logic\", \"evidence\": \"run()  # BUG\", \"explanation\": \"each run stops here\"}]}\n```\n"
		return llm.Response{Text: text, Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}}, nil
	}
	out := t.TempDir()
	got, err := Baseline(context.Background(), Options{Path: runtest.Tree(t, files), Out: filepath.Join(out, "run"), Root: "fake/reader"},
		environment(t, nil, reader))
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if short := r.Run.Shortfalls; r.Run.Status != "partial" || len(short) != 1 || short[0].Code != trace.ShortSkipped {
		t.Errorf("status %s, shortfalls %+v", r.Run.Status, short)
	}
	if len(r.Findings) != 1 || r.Findings[0].Line != 2 {
		t.Errorf("status %s, findings %+v", r.Run.Status, r.Findings)
	}
	if !strings.HasPrefix(r.Analysis, "# Report\n\nIt runs.") || !strings.Contains(r.Analysis, "were left out") ||
		strings.Contains(r.Analysis, "```json") {
		t.Errorf("analysis %q", r.Analysis)
	}
	if r.Coverage.Fraction <= 0 || r.Coverage.Fraction >= 1 {
		t.Errorf("coverage %v", r.Coverage.Fraction)
	}
}

func TestAutoTakesOneCallForWhatFits(t *testing.T) {
	lines := func(n int) *codebase.Codebase {
		return codebase.FromMap(map[string]string{"a.py": strings.Repeat("x = 1\n", n)})
	}
	model := llm.Handle{Name: "openai/x", Context: 200_000}
	for _, tt := range []struct {
		name string
		code *codebase.Codebase
		root llm.Handle
		want string
	}{
		{"small", lines(1), model, StrategySingle},
		{"all that a call holds", lines(25_000), model, StrategySingle},
		{"more", lines(25_001), model, StrategyRLM},
		{"an unknown context", lines(25_000), llm.Handle{Name: "openai/y"}, StrategySingle},
		{"a script cannot read", lines(1), llm.Handle{Name: "offline/orchestrator", Scripted: true}, StrategyRLM},
		{"a root that sees digests", lines(1), llm.Handle{Name: "nano/x", Context: 8192, Digests: true}, StrategyRLM},
		{"a tiny context", lines(5_000), llm.Handle{Name: "local/x", Context: 4096}, StrategyRLM},
	} {
		if got := chooseStrategy(tt.code, tt.root); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestARunIsNotWrittenOver(t *testing.T) {
	path := runtest.Tree(t, map[string]string{"a.py": "x = 1\n"})
	o := Options{Path: path, Out: filepath.Join(t.TempDir(), "run"), Root: "offline/orchestrator", Worker: "fake/worker"}
	env := environment(t, finder, nil)
	if _, err := Analyze(context.Background(), o, env); err != nil {
		t.Fatal(err)
	}
	if _, err := Analyze(context.Background(), o, env); err == nil || !strings.Contains(err.Error(), "already holds a run") ||
		!strings.Contains(hint.Of(err), "resume "+o.Out) {
		t.Errorf("a run over an old one: %v", err)
	}
}

func TestAHostileSuppressFileIsNotFollowed(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("root:x:0:0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := runtest.Tree(t, map[string]string{"a.py": "x = 1\n"})
	if err := os.Symlink(secret, filepath.Join(path, ".deeprepo-suppress")); err != nil {
		t.Fatal(err)
	}
	code, err := codebase.Load(context.Background(), path, codebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := suppressions(Options{}, code); err == nil || strings.Contains(err.Error(), "root:x") ||
		!strings.Contains(err.Error(), "no regular file") {
		t.Errorf("error %v", err)
	}
}

func TestFilesThatWereNamedAreReadBeforeAnythingIsSpent(t *testing.T) {
	path := runtest.Tree(t, map[string]string{"a.py": "x = 1\n"})
	never := func(context.Context, llm.Request) (llm.Response, error) {
		t.Error("a model was asked")
		return llm.Response{}, errors.New("no")
	}
	for _, o := range []Options{{BaselineReport: filepath.Join(path, "a.py")}, {SuppressFile: filepath.Join(path, "missing")},
		{SuppressFile: path}} {
		o.Path, o.Out, o.Root, o.Worker = path, filepath.Join(t.TempDir(), "run"), "offline/orchestrator", "fake/worker"
		if _, err := Analyze(context.Background(), o, environment(t, never, nil)); err == nil {
			t.Errorf("%+v was taken", o)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Error("a run directory was made")
		}
	}
}

func TestDefaultOutIsSafeForAnyName(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 15, 0, 0, time.UTC)
	for path, want := range map[string]string{
		"/home/me/my app": "runs/my_app-20261121-101500", "/": "runs/codebase-20261121-101500", "/x/<script>\n": "runs/script-20261121-101500",
		"/x/..": "runs/codebase-20261121-101500",
	} {
		if got := filepath.ToSlash(DefaultOut(path, at)); got != want && got != strings.Replace(want, "script", "_script_", 1) {
			t.Errorf("DefaultOut(%q) = %s, want %s", path, got, want)
		}
	}
}

func TestAnEstimateNeedsNoKey(t *testing.T) {
	env := environment(t, nil, nil)
	env.Registry.RegisterProvider("dear", keyless{&llm.Price{Input: 3 * money.Dollar, Output: 15 * money.Dollar}})
	path := runtest.Tree(t, map[string]string{"a.py": strings.Repeat("x = 1\n", 50_000)})
	e, err := Plan(context.Background(), Options{Path: path, Root: "dear/root", Worker: "dear/worker"}, env)
	if err != nil {
		t.Fatal(err)
	}
	if e.Files != 1 || e.Lines != 50_000 || e.Strategy != StrategyRLM || e.Dispatches < 10 || e.CostUSD == nil || *e.CostUSD < 0.2 ||
		*e.CostUSD > 2 {
		t.Errorf("estimate %+v, cost %v", e, e.CostUSD)
	}
	env.Registry.RegisterProvider("dear", keyless{})
	if e, err = Plan(context.Background(), Options{Path: path, Root: "dear/root", Worker: "dear/worker"}, env); err != nil ||
		e.CostUSD != nil {
		t.Errorf("an unknown price gave the cost %v, %v", e.CostUSD, err)
	}
}

// keyless is a provider whose key is not set.
type keyless struct{ price *llm.Price }

func (k keyless) Open(name string) (llm.Handle, error) {
	return llm.Handle{Name: "dear/" + name, Price: k.price}, &llm.Error{Kind: llm.KindNotConfigured, Message: "no key"}
}
func (keyless) Status(context.Context) llm.Status { return llm.Status{} }

package review

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// A review that looks finished and is not says so: none of these ends as completed, and none counts lines that nobody
// answered for.
func TestNothingIsMissingInSilence(t *testing.T) {
	const each = `llm_batch(["=== FILE: " + p + " (lines 1-4 of 4) ===\n" + codebase[p] for p in codebase])` + "\n"
	says := func(text string, finish llm.Finish) llm.Func {
		return func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{Text: text, Finish: finish}, nil
		}
	}
	cut := `{"summary": "reads a file", "findings": [{"file": "pkg0/mod00.py", "line": 3, "title": "a bug", "evid`
	allBut := func(limit int64, err error) llm.Func { // answers so many calls
		var calls atomic.Int64
		return func(ctx context.Context, r llm.Request) (llm.Response, error) {
			if calls.Add(1) > limit {
				return llm.Response{}, err
			}
			return finder(ctx, r)
		}
	}
	priced := &llm.Price{Output: money.Dollar}                               // per million tokens
	long := func(ctx context.Context, r llm.Request) (llm.Response, error) { // uses its whole limit
		resp, err := finder(ctx, r)
		resp.Usage.OutputTokens = int64(r.MaxTokens)
		return resp, err
	}
	tests := []struct {
		name   string
		files  int
		worker llm.Func
		price  *llm.Price
		cell   string
		change func(*Options)
		want   trace.ShortfallCode
		count  int
		lines  int
	}{
		{name: "the budget refuses most of 61 dispatches", files: 61, worker: long, price: priced, cell: each,
			change: func(o *Options) { b := 6 * 4096 * money.Dollar / 1_000_000; o.Budget, o.Concurrency = &b, 1 },
			want:   trace.ShortBudget, count: 55, lines: 220},
		{name: "40 of 41 workers answer 403", files: 41, cell: each,
			worker: allBut(1, &llm.Error{Kind: llm.KindAuth, Status: 403, Message: "forbidden"}), want: trace.ShortFailed, count: 40, lines: 160},
		{name: "the root answers at once", files: 3, worker: finder, want: trace.ShortNoDispatch, count: 1, lines: 12},
		{name: "less coverage than was asked for, three holds later", files: 3, worker: finder, cell: "llm_query('hello')\n",
			change: func(o *Options) { o.Coverage, o.GateMode = 0.9, rlm.GateHold }, want: trace.ShortCoverage, count: 3, lines: 12},
		{name: "less coverage in the last turn", files: 3, worker: finder, cell: "llm_query('hello')\n",
			change: func(o *Options) { o.Coverage, o.GateMode, o.MaxTurns = 0.9, rlm.GateHold, 1 }, want: trace.ShortCoverage, count: 3, lines: 12},
		{name: "every worker refuses in prose", files: 3, worker: says("I'm sorry, but I can't help with that.", llm.FinishStop), cell: each,
			want: trace.ShortRefused, count: 3, lines: 12},
		{name: "every worker refuses in JSON", files: 3, cell: each, want: trace.ShortRefused, count: 3, lines: 12,
			worker: says(`{"summary": "I cannot assist with reviewing this code.", "findings": []}`, llm.FinishStop)},
		{name: "the provider refuses", files: 3, worker: says("", llm.FinishFilter), cell: each, want: trace.ShortRefused, count: 3, lines: 12},
		{name: "every reply is cut at its limit", files: 3, worker: says(cut, llm.FinishLength), cell: each, want: trace.ShortCut, count: 3, lines: 12},
		{name: "every reply is cut after a finding, and says stop", files: 3, cell: each, want: trace.ShortCut, count: 3, lines: 12,
			worker: says(`{"findings": [{"file": "pkg0/mod00.py", "line": 3, "title": "a bug", "evidence": "x"}, {"fi`, llm.FinishStop)},
		{name: "every reply is an error in JSON", files: 3, worker: says(`{"error": "internal"}`, llm.FinishStop), cell: each,
			want: trace.ShortUnreadable, count: 3, lines: 12},
		{name: "every reply is prose", files: 3, worker: says("lorem ipsum dolor", llm.FinishStop), cell: each,
			want: trace.ShortUnreadable, count: 3, lines: 12},
		{name: "more findings than a reply may hold", files: 1, cell: each, want: trace.ShortCut, count: 1, lines: 4,
			worker: says("["+strings.Repeat(`{"file": "pkg0/mod00.py", "line": 3, "title": "a bug"},`, 1000)+
				`{"file": "pkg0/mod00.py", "line": 3, "title": "the 1001st"}]`, llm.FinishStop)},
		{name: "the turns are spent", files: 3, worker: finder, cell: each + "raise ValueError\n", change: func(o *Options) { o.MaxTurns = 2 },
			want: trace.ShortTurns, count: 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := environment(t, tt.worker, nil)
			env.Registry.Register("fake", func(model string) (llm.Handle, error) {
				if model == "root" {
					return llm.Handle{Model: &runtest.Script{Replies: []string{"```python\n" + tt.cell + "set_answer('# all is well')\n```"}},
						Price: llm.NotBilled()}, nil
				}
				return llm.Handle{Model: tt.worker, Price: tt.price, Schema: true}, nil
			}, "root", "worker")
			o := Options{Path: runtest.Tree(t, buggy(tt.files)), Out: filepath.Join(t.TempDir(), "run"), Root: "fake/root",
				Worker: "fake/worker", Strategy: StrategyRLM, NoCache: true}
			if tt.change != nil {
				tt.change(&o)
			}
			got, err := Analyze(context.Background(), o, env)
			if err != nil {
				t.Fatal(err)
			}
			run := got.Report.Run
			i := slices.IndexFunc(run.Shortfalls, func(s trace.Shortfall) bool { return s.Code == tt.want })
			if run.Status != trace.StatusPartial || i < 0 {
				t.Fatalf("status %s (%s), shortfalls %+v", run.Status, run.StopReason, run.Shortfalls)
			}
			if s := run.Shortfalls[i]; s.Count != tt.count || s.Lines != tt.lines || s.Text == "" {
				t.Errorf("%+v, want count %d, lines %d", s, tt.count, tt.lines)
			}
			if c := got.Report.Coverage; c.LinesTotal-c.LinesAnswered < tt.lines {
				t.Errorf("coverage %+v", c)
			}
		})
	}
}

// What failed and was made up for is not missing.
func TestAShortfallThatWasMadeUpForIsNone(t *testing.T) {
	var calls atomic.Int64
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if calls.Add(1) <= 2 {
			return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "not today"}
		}
		return finder(ctx, r)
	}
	env := environment(t, worker, nil)
	cell := `
for _ in range(2):
    llm_batch(["=== FILE: " + p + " (lines 1-4 of 4) ===\n" + codebase[p] for p in codebase])
set_answer("done at the second try")`
	env.Registry.Register("scripted", func(string) (llm.Handle, error) {
		return llm.Handle{Model: &runtest.Script{Replies: []string{"```python" + cell + "\n```"}}}, nil
	}, "root")
	got, err := Analyze(context.Background(), Options{Path: runtest.Tree(t, buggy(3)), Out: filepath.Join(t.TempDir(), "run"),
		Root: "scripted/root", Worker: "fake/worker", Strategy: StrategyRLM, NoCache: true, Concurrency: 1}, env)
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if r.Run.Status != trace.StatusCompleted || len(r.Run.Shortfalls) != 0 || r.Coverage.Fraction != 1 || r.Errors.Dispatch != 2 {
		t.Errorf("%+v, coverage %+v", r.Run, r.Coverage)
	}
}

// Offline, a language without rules is read by nobody: its lines are in the denominator, and when they are the most part
// the review is not complete.
func TestRulesJudgeOnlyTheirLanguages(t *testing.T) {
	ctx := context.Background()
	parser := runtest.Parser(t)
	tests := []struct {
		python, swift, prose int // files of ten lines
		status               trace.Status
		fraction             float64
	}{
		{python: 1, swift: 0, status: trace.StatusCompleted, fraction: 1},
		{python: 3, swift: 1, status: trace.StatusCompleted, fraction: 0.75},
		{python: 1, swift: 3, status: trace.StatusPartial, fraction: 0.25},
		{python: 1, prose: 3, status: trace.StatusCompleted, fraction: 0.25},
		{swift: 1, status: trace.StatusPartial, fraction: 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d python, %d swift, %d prose", tt.python, tt.swift, tt.prose), func(t *testing.T) {
			files := map[string]string{}
			add := func(n int, ext, line string) {
				for i := range n {
					text := ""
					for k := range 10 {
						text += fmt.Sprintf(line+"\n", 100*i+k)
					}
					files[fmt.Sprintf("f%d%s", i, ext)] = text
				}
			}
			add(tt.python, ".py", "value_%d = 1")
			add(tt.swift, ".swift", "let v%d = 1")
			add(tt.prose, ".md", "- sentence %d")
			env := environment(t, nil, nil)
			env.Registry.Register("rules", func(string) (llm.Handle, error) {
				return rules.NewWorker(rules.NewSet(parser, rules.All())).Handle(), nil
			}, "all")
			got, err := Analyze(ctx, Options{Path: runtest.Tree(t, files), Out: filepath.Join(t.TempDir(), "run"),
				Root: "offline/orchestrator", Worker: "rules/all", NoCache: true}, env)
			if err != nil {
				t.Fatal(err)
			}
			r := got.Report
			if r.Run.Status != tt.status || r.Coverage.Fraction != tt.fraction || r.Coverage.LinesJudged != 10*tt.python {
				t.Errorf("status %s, coverage %+v", r.Run.Status, r.Coverage)
			}
			if none := len(r.Run.Shortfalls) == 0; none == (tt.swift > 0) || !none && r.Run.Shortfalls[0].Lines != 10*tt.swift {
				t.Errorf("shortfalls %+v", r.Run.Shortfalls)
			}
		})
	}
}

// A file that the rules' parser gives up on is judged by nobody, and said to be, in a resumed run as well.
func TestWhatTheParserGivesUpOnIsNotJudged(t *testing.T) {
	ctx := t.Context()
	parser, err := syntax.Open(ctx, syntax.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := parser.Close(); err != nil { // one that parses nothing
		t.Fatal(err)
	}
	env := environment(t, nil, nil)
	env.Registry.Register("rules", func(string) (llm.Handle, error) {
		return rules.NewWorker(rules.NewSet(parser, rules.All())).Handle(), nil
	}, "all")
	out := filepath.Join(t.TempDir(), "run")
	tree := runtest.Tree(t, map[string]string{"a.py": strings.Repeat("x = 1\n", 10), "b.go": "package b\n"})
	got, err := Analyze(ctx, Options{Path: tree, Out: out, Root: "offline/orchestrator", Worker: "rules/all", NoCache: true}, env)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Resume(ctx, out, Changes{}, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []runfile.Report{got.Report, again.Report} {
		if c := r.Coverage; r.Run.Status != trace.StatusPartial || c.LinesJudged != 0 || c.LinesAnswered != 11 || c.Fraction != 0 {
			t.Errorf("status %s, coverage %+v", r.Run.Status, c)
		}
		want := []trace.Shortfall{{Code: trace.ShortUnparsed, Count: 2, Lines: 11,
			Text: "The parser gave up on 2 files, which no rule has judged (11 lines)."}}
		if diff := cmp.Diff(want, r.Run.Shortfalls); diff != "" {
			t.Error(diff)
		}
	}
	f, err := os.Open(filepath.Join(out, runfile.CoverageName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := coverage.ReadRecord(f)
	if err != nil || rec.Files[0].Answered != 10 || rec.Files[0].Judged != 0 || !slices.Equal(rec.Files[0].Unjudged, [][2]int{{1, 10}}) {
		t.Errorf("%v, %+v", err, rec.Files)
	}
}

// What the codebase itself keeps from its readers is in the denominator; what the user left out is not.
func TestACodebaseCannotHideItsCode(t *testing.T) {
	files := buggy(2) // of four lines each
	files["hidden/one.py"] = strings.Repeat("x = 1\n", 40)
	files["marked.py"] = "# @generated\n" + strings.Repeat("x = 1\n", 19)
	files[".deeprepoignore"] = "hidden/\n"
	for _, tt := range []struct {
		name    string
		exclude []string
		status  trace.Status
		lines   int // missing
		total   int
	}{
		{"by its own files", nil, trace.StatusPartial, 60, 8 + 60 + 1}, // the ignore file has a line, too
		{"and the user by flags", []string{"hidden", "marked.py"}, trace.StatusCompleted, 0, 8 + 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Analyze(context.Background(), Options{Path: runtest.Tree(t, files), Out: filepath.Join(t.TempDir(), "run"),
				Root: "offline/orchestrator", Worker: "fake/worker", NoCache: true, Exclude: tt.exclude}, environment(t, finder, nil))
			if err != nil {
				t.Fatal(err)
			}
			r, lines := got.Report, 0
			for _, s := range r.Run.Shortfalls {
				lines += s.Lines
			}
			if r.Run.Status != tt.status || lines != tt.lines || r.Coverage.LinesTotal != tt.total {
				t.Errorf("status %s, shortfalls %+v, coverage %+v", r.Run.Status, r.Run.Shortfalls, r.Coverage)
			}
		})
	}
}

// Outside a git repository a .gitignore hides code as a .deeprepoignore does: it counts.
func TestAGitignoreOutsideGitCannotHideCode(t *testing.T) {
	files := buggy(2) // of four lines each
	files["hidden/one.py"] = strings.Repeat("x = 1\n", 40)
	files["node_modules/m/index.js"] = strings.Repeat("x()\n", 400)
	files[".gitignore"] = "hidden/\nnode_modules/\n"
	got, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, files), Out: filepath.Join(t.TempDir(), "run"),
		Root: "offline/orchestrator", Worker: "fake/worker", NoCache: true}, environment(t, finder, nil))
	if err != nil {
		t.Fatal(err)
	}
	r := got.Report
	if r.Run.Status != trace.StatusPartial || r.Coverage.LinesTotal != 8+2+40 || len(r.Run.Shortfalls) != 1 ||
		r.Run.Shortfalls[0].Code != trace.ShortSkipped || r.Run.Shortfalls[0].Lines != 40 {
		t.Errorf("%+v, %+v", r.Run, r.Coverage)
	}
}

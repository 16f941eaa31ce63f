package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// highs are n findings of severity high in a file, ten lines apart.
func highs(file string, n int) []finding.Finding {
	var fs []finding.Finding
	for i := range n {
		fs = append(fs, finding.Finding{ID: fmt.Sprint(file, i), File: file, Line: 10 * (i + 1), EndLine: 10 * (i + 1), Category: "logic",
			Severity: "high", Grounded: true})
	}
	return fs
}

// journal is the research journal's own comparison: one codebase without a truth, three roots with the same worker.
func journal() Result {
	m := Manifest{Spec: Spec{Repeats: 1, Target: "Opus Root", Configs: []ConfigSpec{
		{Name: "M2.5 Root", Root: "m2.5", Worker: "m2.5", Strategy: env.StrategyRLM},
		{Name: "Sonnet Root", Root: "sonnet", Worker: "m2.5", Strategy: env.StrategyRLM},
		{Name: "Opus Root", Root: "opus", Worker: "m2.5", Strategy: env.StrategyRLM},
		{Name: "Baseline", Root: "opus", Strategy: env.StrategySingle},
	}}}
	s := &subject{BenchCodebase: runfile.BenchCodebase{Name: "jianghu", Files: 289}}
	review := func(i int, root, worker float64, dispatches, files, groups, turns, workerTurns int, fs []finding.Finding) *Review {
		return &Review{BenchReview: runfile.BenchReview{Config: m.Spec.Configs[i].Name, State: StateDone, CostUSD: usd(root + worker),
			RootCostUSD: usd(root), WorkerCostUSD: usd(worker),
			Dispatches: dispatches, FilesDispatched: files, Groups: groups, GroupsTotal: 5, Turns: turns, WorkerTurns: workerTurns,
			LastWorkerTurn: workerTurns,
			Answered:       true, Findings: len(fs), Lines: 1000, LinesDispatched: 10 * files / 3, CellErrors: []int{19, 0, 0, 0}[i],
			RepeatedErrors: []int{16, 0, 0, 0}[i]}, findings: fs, job: job{config: i}}
	}
	return newResult(m, []*subject{s}, []*Review{
		review(0, 0.024, 0, 0, 0, 0, 3, 0, nil),
		review(1, 0.72, 0.015, 9, 35, 2, 4, 2, highs("sonnet.ts", 2)),
		review(2, 4.94, 0.10, 61, 225, 5, 5, 4, highs("opus.ts", 18)),
		review(3, 1.39, 0, 0, 108, 5, 1, 0, highs("base.ts", 5)),
	})
}

func TestTablesOfTheJournal(t *testing.T) {
	var b strings.Builder
	if err := WriteMarkdown(&b, journal()); err != nil {
		t.Fatal(err)
	}
	runtest.Golden(t, "journal.md", b.String())
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"| Sub-LLM calls dispatched | 0 | 9 | 61 | N/A |",
		"| Files analyzed via sub-LLM | 0 | 35 | 225 | 108 (direct) |",
		"| Unique deep bugs found | 0 | 2 | 18 | 5 |",
		"| Errors in cells (repeated) | 19 (16) | 0 (0) | 0 (0) | N/A |",
		"| Sub-LLM calls dispatched | 0 (none) | 9 (6.8x) | N/A | 61 |",
		"| File groups covered | 0 of 5 (none) | 2 of 5 (2.5x) | 5 of 5 (1x) | 5 of 5 |",
		"| Turns with active sub-LLM work | 0 of 3 (none) | 2 of 4 (2x) | N/A | 4 of 5 |",
		"| Last turn with sub-LLM work | N/A | 2 (2 early) | N/A | 4 |",
		"| Unique deep bugs | 0 (none) | 2 (9x) | 5 (3.6x) | 18 |",
		`| Sonnet Root | 9 (actual) | \$0.0150 | \$0.72 | \$0.73 | 2% |`,
		`| Sonnet Root | 90 | \$0.15 | \$0.72 | \$0.87 | 17.2% | unchanged |`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// truthful makes a result over two codebases of four defects each. found says which defects each configuration finds,
// wrong how many false findings it adds.
func truthful(t *testing.T, repeats int, found map[string][][]int, wrong map[string]int) Result {
	m := Manifest{Spec: Spec{Repeats: repeats}}
	var subjects []*subject
	for b := range 2 {
		s := &subject{BenchCodebase: runfile.BenchCodebase{Name: fmt.Sprint("base", b), Truth: true}}
		for i := range 4 {
			d := env.Defect{File: "a.py", Line: 10 * (i + 1), EndLine: 10 * (i + 1), Category: "logic", Severity: "low"}
			d.CrossFile = i == 2
			if i == 3 {
				d.Severity = "critical"
			}
			s.defects = append(s.defects, d)
		}
		subjects = append(subjects, s)
	}
	var runs []*Review
	for i, name := range []string{"a", "b"} {
		m.Spec.Configs = append(m.Spec.Configs, ConfigSpec{Name: name, Root: "r", Worker: "w", Strategy: env.StrategyRLM})
		for b, s := range subjects {
			for rep := range repeats {
				r := &Review{BenchReview: runfile.BenchReview{Config: name, State: StateDone, CostUSD: usd(1), RootCostUSD: usd(1),
					WorkerCostUSD: usd(0)}, job: job{config: i, codebase: b, repeat: rep}}
				for _, d := range found[name][b] {
					r.findings = append(r.findings, finding.Finding{ID: fmt.Sprint(d), File: "a.py", Line: 10 * (d + 1), EndLine: 10 * (d + 1),
						Category: "logic", Severity: "low"})
				}
				for k := range wrong[name] {
					r.findings = append(r.findings, finding.Finding{ID: fmt.Sprint("w", k), File: "b.py", Line: 10 * (k + 1), EndLine: 10 * (k + 1),
						Category: "logic", Severity: "high"})
				}
				truths, o := s.truths()
				r.matching = finding.Match(truths, r.findings, o)
				r.Truth = &runfile.BenchRunTruth{Total: 4, Found: len(r.matching.Pairs), False: len(r.matching.False)}
				r.Findings = len(r.findings)
				runs = append(runs, r)
			}
		}
	}
	return newResult(m, subjects, runs)
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestTruth(t *testing.T) {
	r := truthful(t, 1, map[string][][]int{"a": {{0, 1, 2, 3}, {0, 2}}, "b": {{0, 3}, {}}}, map[string]int{"a": 1})
	a, b := r.Rows[0], r.Rows[1]
	near(t, "a's recall", a.Truth.Recall, 6.0/8)
	near(t, "a's precision", a.Truth.Precision, 6.0/8)
	near(t, "a's F2", a.Truth.F2, 30.0/(30+8+2))
	near(t, "b's recall", b.Truth.Recall, 2.0/8)
	near(t, "b's precision", b.Truth.Precision, 1)
	if a.Grade != "B" || b.Grade != "D" || a.GradeBy != ByTruth {
		t.Errorf("grades %s, %s by %s", a.Grade, b.Grade, a.GradeBy)
	}
	// Defect 2 (between files) is found by a alone, on both codebases; defect 3 (critical) by both on the first.
	if *a.Truth.Unique != 2 || *b.Truth.Unique != 0 || *a.Unique != 2 {
		t.Errorf("unique: %d, %d", *a.Truth.Unique, *b.Truth.Unique)
	}
	want := stats.MeanCI([][]float64{{1, 1, 1, 1}, {1, 0, 1, 0}}, stats.Unit(0.95))
	if got := a.Truth.RecallCI; got.String() != want.String() || !got.OK() {
		t.Errorf("recall's interval %s, want %s", got, want)
	}
	if got := b.Truth.PrecisionCI; got.OK() || !strings.Contains(got.Why, "one codebase") {
		t.Errorf("an interval over claims on one codebase: %s", got)
	}
	if len(r.Tests) != 1 || r.Tests[0].Tasks != 2 || !strings.Contains(r.Tests[0].Words, "smallest possible p is 0.5") {
		t.Errorf("tests: %+v", r.Tests)
	}
}

// What repeats find again is found once, and is no new evidence.
func TestRepeats(t *testing.T) {
	found := map[string][][]int{"a": {{0, 2, 3}, {1}}, "b": {{0}, {}}}
	once, thrice := truthful(t, 1, found, nil), truthful(t, 3, found, nil)
	if a, b := *once.Rows[0].Unique, *thrice.Rows[0].Unique; a != 2 || b != 2 {
		t.Errorf("unique bugs: %d, repeated %d, want 2", a, b)
	}
	if a, b := once.Rows[0].Truth.RecallCI, thrice.Rows[0].Truth.RecallCI; a.String() != b.String() {
		t.Errorf("repeating narrowed the interval from %s to %s", a, b)
	}
	if got := thrice.Tests[0].Tasks; got != 2 {
		t.Errorf("%d codebases, want 2", got)
	}
}

// What a repeat reports again is one unique finding, also if there is no truth.
func TestUniqueWithoutTruth(t *testing.T) {
	var runs []*Review
	for rep := range 3 {
		runs = append(runs, &Review{BenchReview: runfile.BenchReview{State: StateDone}, findings: highs("a.go", 2), job: job{repeat: rep}})
	}
	low := highs("b.go", 1)
	low[0].Severity = "low"
	runs = append(runs, &Review{BenchReview: runfile.BenchReview{State: StateDone}, findings: append(highs("a.go", 1), low...),
		job: job{config: 1}})
	got := uniques([]*subject{{}}, runs)
	if got[0].all != 1 || got[1].all != 0 {
		t.Errorf("%+v: of the first's two findings one is also the second's, whose other is of low severity", got)
	}
}

// A run that is not done counts nowhere, and takes nothing from the others.
func TestFailedRowIsUnknown(t *testing.T) {
	r := journal()
	m := Manifest{Spec: Spec{Repeats: 1, Target: "bad", Configs: []ConfigSpec{{Name: "bad", Root: "x", Worker: "y",
		Strategy: env.StrategyRLM}, {Name: "good", Root: "x", Worker: "y", Strategy: env.StrategyRLM}}}}
	good := *r.Rows[1].Runs[0]
	good.job = job{config: 1}
	bad := &Review{BenchReview: runfile.BenchReview{Config: "bad", State: StateStopped, Error: "the root model failed: 500",
		CostUSD: usd(0.5)}}
	got := newResult(m, []*subject{{BenchCodebase: runfile.BenchCodebase{Name: "one"}}}, []*Review{bad, &good})
	row := got.Rows[0]
	if row.CostUSD != nil || row.Dispatches != nil || row.Coverage != nil || row.Unique != nil || row.Quality != nil || row.Grade != "" {
		t.Errorf("figures of a run that failed: %+v", row)
	}
	if u := got.Rows[1].Unique; u != nil {
		t.Errorf("%d unique bugs, where there is nothing to compare with", *u)
	}
	near(t, "spent", got.SpentUSD, 0.5+0.735)
	var text, data bytes.Buffer
	if err := WriteText(&text, got); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "the root model failed: 500") {
		t.Errorf("the error is not shown:\n%s", text.String())
	}
	if err := WriteJSON(&data, got); err != nil {
		t.Fatal(err)
	}
	var back struct{ Rows []map[string]any }
	if err := json.Unmarshal(data.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"cost_usd", "dispatches", "files_dispatched", "coverage", "turns", "findings"} {
		if v, ok := back.Rows[0][key]; !ok || v != nil {
			t.Errorf("%s is %v, want null", key, v)
		}
		if back.Rows[1][key] == nil {
			t.Errorf("%s of the good row is null", key)
		}
	}
}

// An unknown price makes every sum it goes into unknown.
func TestUnknownCost(t *testing.T) {
	r := truthful(t, 2, map[string][][]int{"a": {{0}, {0}}, "b": {{0}, {0}}}, nil)
	for _, run := range r.Rows[0].Runs[:1] {
		run.CostUSD, run.WorkerCostUSD = nil, nil
	}
	row := Row{BenchRow: runfile.BenchRow{Strategy: env.StrategyRLM}, Runs: r.Rows[0].Runs}
	row.sum()
	if row.CostUSD != nil || row.WorkerCostUSD != nil || row.RootCostUSD == nil {
		t.Errorf("%v, %v, %v", row.CostUSD, row.WorkerCostUSD, row.RootCostUSD)
	}
	*row.Dispatches = 10
	ps := project([]Row{row})
	if len(ps) != 1 || ps[0].Then.TotalUSD != nil || ps[0].Then.WorkerShare != nil {
		t.Errorf("%+v", ps)
	}
}

func TestGrowth(t *testing.T) {
	review := func(config, base, calls int, root float64) *Review {
		return &Review{BenchReview: runfile.BenchReview{State: StateDone, Dispatches: calls, RootCostUSD: usd(root),
			WorkerCostUSD: usd(0.01 * float64(calls)), CostUSD: usd(root + 0.01*float64(calls))}, job: job{config: config, codebase: base}}
	}
	// The second codebase is more expensive for both: only what more calls cost on the same codebase is growth.
	rows := []Row{
		{BenchRow: runfile.BenchRow{Config: "few", Root: "r", Strategy: env.StrategyRLM}, Runs: []*Review{review(0, 0, 10, 1), review(0, 1, 10, 5)}},
		{BenchRow: runfile.BenchRow{Config: "many", Root: "r", Strategy: env.StrategyGate}, Runs: []*Review{review(1, 0, 60, 1.1), review(1, 1, 60, 5.1)}},
		{BenchRow: runfile.BenchRow{Config: "single", Root: "r", Strategy: env.StrategySingle}, Runs: []*Review{review(2, 0, 0, 99)}},
	}
	for i := range rows {
		rows[i].sum()
	}
	g, n := growth(rows, "r")
	near(t, "growth", g, 0.1/50)
	if n != 4 {
		t.Errorf("over %d runs, want 4", n)
	}
	ps := project(rows)
	if len(ps) != 2 {
		t.Fatalf("%d projections", len(ps))
	}
	near(t, "root at 10x", ps[0].Then.RootUSD, 3+0.002*90)
	near(t, "worker at 10x", ps[0].Then.WorkerUSD, 1)
	near(t, "share at 10x", ps[0].Then.WorkerShare, 1/(3.18+1))
	if g, _ := growth(rows[:1], "r"); g != nil {
		t.Errorf("growth of one number of calls: %v", *g)
	}
	rows[1].Runs[0].RootCostUSD = usd(0.5)
	rows[1].Runs[1].RootCostUSD = usd(0.5)
	if g, _ := growth(rows, "r"); g != nil {
		t.Errorf("negative growth: %v", *g)
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		test  runfile.BenchTest
		tests int
		want  string
	}{
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 1, P: 1}}, 1, "no test"},
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 20, P: 0.001, Verdict: stats.VerdictBetter}, PHolm: 0.003}, 3, "B is better"},
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 20, P: 0.03, Verdict: stats.VerdictBetter}, PHolm: 0.09}, 3, "after correction for 3"},
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 8, P: 0.0078, Verdict: stats.VerdictBetter}, PHolm: 0.078}, 10, "too few codebases for 10 comparisons"},
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 20, P: 0.8, Verdict: stats.VerdictSame}, PHolm: 1}, 3, "no difference that matters"},
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 4, P: 0.125, Verdict: stats.VerdictTooSmall}, PHolm: 1}, 3, "with 4 the smallest possible p is 0.125"},
		{runfile.BenchTest{Comparison: stats.Comparison{Tasks: 20, P: 0.2, Diff: 0.1, TasksNeeded: 64, Verdict: stats.VerdictTooSmall}, PHolm: 1}, 3, "needs about 64"},
	} {
		if got := verdict(c.test, c.tests); !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// With a target there is one question about every other configuration, without one about every pair.
func TestComparisons(t *testing.T) {
	var rows []Row
	for i, name := range []string{"a", "b", "c", "d"} {
		rows = append(rows, Row{BenchRow: runfile.BenchRow{Config: name},
			Runs: []*Review{{BenchReview: runfile.BenchReview{State: StateDone, Truth: &runfile.BenchRunTruth{Total: 2, Found: i % 2}},
				job: job{config: i}}}})
	}
	for target, want := range map[string]string{"": "ab ac ad bc bd cd", "c": "ca cb cd"} {
		var got []string
		for _, c := range compare(rows, 1, target) {
			got = append(got, c.A+c.B)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("target %q: %v, want %s", target, got, want)
		}
	}
}

func TestGrades(t *testing.T) {
	for q, want := range map[float64]string{1: "A", 0.8: "A", 0.79: "B", 0.6: "B", 0.59: "C", 0.4: "C", 0.39: "D", 0: "D"} {
		if got := letter(q); got != want {
			t.Errorf("%v: %s, want %s", q, got, want)
		}
	}
	n := 0.5
	for _, c := range []struct {
		grounded, ungrounded int
		want                 string
	}{{8, 0, "C?"}, {2, 8, "D?"}, {0, 0, "D?"}} {
		r := Row{BenchRow: runfile.BenchRow{Done: 1, Coverage: &n},
			Runs: []*Review{{BenchReview: runfile.BenchReview{State: StateDone, Findings: c.grounded, Ungrounded: c.ungrounded}}}}
		if r.grade(); r.Grade != c.want || r.GradeBy != ByNoTruth {
			t.Errorf("%+v: %s by %s", c, r.Grade, r.GradeBy)
		}
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		paths []string
		depth int
		group string // of the first
	}{
		{[]string{"a/x.go", "b/y.go"}, 0, "a"},
		{[]string{"src/a/x.go", "src/b/y.go"}, 1, "a"},
		{[]string{"src/a/x.go", "src/y.go"}, 1, "a"},
		{[]string{"README.md", "src/y.go"}, 0, "."},
		{[]string{"src/a/x.go"}, 2, "."},
		{nil, 0, ""},
	} {
		if got := commonDepth(c.paths); got != c.depth {
			t.Errorf("%v: depth %d, want %d", c.paths, got, c.depth)
		}
		if len(c.paths) > 0 && group(c.paths[0], c.depth) != c.group {
			t.Errorf("%v: group %q, want %q", c.paths, group(c.paths[0], c.depth), c.group)
		}
	}
}

// Names out of a configuration and errors of providers reach no table as anything but text.
func TestHostileNames(t *testing.T) {
	evil := "<img src=x onerror=alert(1)>\x1b[31m|`[x](http://e)\u202e"
	m := Manifest{Spec: Spec{Repeats: 1, Target: evil, Configs: []ConfigSpec{{Name: evil, Root: evil, Worker: evil,
		Strategy: env.StrategyRLM}, {Name: "b", Root: "x", Worker: "y", Strategy: env.StrategyRLM}}}}
	ok := *journal().Rows[1].Runs[0]
	ok.Config, ok.Codebase, ok.job = evil, evil, job{}
	bad := &Review{BenchReview: runfile.BenchReview{Config: "b", Codebase: evil, State: StateStopped, Error: evil}, job: job{config: 1}}
	r := newResult(m, []*subject{{BenchCodebase: runfile.BenchCodebase{Name: evil}}}, []*Review{&ok, bad})
	var text, md bytes.Buffer
	if err := WriteText(&text, r); err != nil {
		t.Fatal(err)
	}
	if err := WriteMarkdown(&md, r); err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"text": text.String(), "markdown": md.String()} {
		if strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%s holds a character that acts", name)
		}
		if name != "text" && strings.Contains(out, "<img") {
			t.Errorf("%s holds an element out of a name", name)
		}
	}
	for line := range strings.Lines(md.String()) {
		if strings.HasPrefix(line, "|") && strings.Contains(line, "(http://") {
			t.Errorf("a link: %s", line)
		}
	}
}

func usd(x float64) *float64 { return &x }

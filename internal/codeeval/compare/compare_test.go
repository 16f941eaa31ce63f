package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const sharedResults = "../../../../shared/data/rlvf/results_v2"

// condition makes a result file: a letter for each task, P passed, F failed, E passed with nothing generated, ? not judged;
// several letters are several samples.
func condition(name string, tasks ...string) Condition {
	f := &resultfile.File{Path: name + ".jsonl", Form: resultfile.FormHumanEval}
	for i, letters := range tasks {
		t := resultfile.Task{ID: fmt.Sprintf("T/%d", i)}
		for _, l := range letters {
			s := resultfile.Sample{Text: "x", Kind: resultfile.Completion}
			switch l {
			case 'P', 'E':
				s.Passed = new(true)
			case 'F':
				s.Passed = new(false)
			}
			if l == 'E' {
				s.Text = ""
			}
			t.Samples = append(t.Samples, s)
		}
		if letters != "-" {
			f.Tasks = append(f.Tasks, t)
		}
	}
	return Condition{Name: name, File: f}
}

func sized(c Condition, size float64) Condition {
	c.Size = &size
	return c
}

func run(t *testing.T, o Options, conditions ...Condition) runfile.CompareReport {
	t.Helper()
	r, err := Run(conditions, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFlips(t *testing.T) {
	r := run(t, Options{}, condition("a", "P", "F", "P", "F", "E", "P"), condition("b", "P", "F", "F", "P", "F", "F"))
	c := r.Comparisons[0]
	if diff := cmp.Diff([]string{"T/3"}, c.Improved); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"T/2", "T/4", "T/5"}, c.Regressed); diff != "" {
		t.Error(diff)
	}
	if c.BothPass != 1 || c.BothFail != 1 || c.Net != -2 || c.Tasks != 6 || c.EmptyWins != 1 || c.Test != TestMcNemar {
		t.Errorf("%+v", c)
	}
	if math.Abs(c.DeltaPP+100.0/3) > 1e-12 || math.Abs(*c.RelativePct+50) > 1e-12 || *c.McNemarP != 0.625 || *c.McNemarPHolm != 0.625 {
		t.Errorf("%+v", c)
	}
	if c.CI95 == nil || c.CI95[0] >= c.DeltaPP || c.CI95[1] <= c.DeltaPP || c.WaldCI95 == nil || c.MinimumDetectablePP == nil {
		t.Errorf("%+v", c)
	}
	if r.Conditions[0].Base != "" || r.Conditions[1].Base != "a" || r.Conditions[0].Passed != 4 || r.Conditions[0].EmptyPassed != 1 {
		t.Errorf("%+v", r.Conditions)
	}
	if !strings.Contains(r.Alarm, "In 1 of 2 conditions empty completions are recorded as passed") {
		t.Error(r.Alarm)
	}
}

func TestSeveralSamplesATask(t *testing.T) {
	r := run(t, Options{}, condition("a", "PPFF", "PP", "FF", "PF", "P"), condition("b", "PF", "PF", "FP", "P?", "P"))
	c := r.Comparisons[0]
	if c.Test != TestSignFlip || c.McNemarP != nil || c.McNemarPHolm != nil || c.WaldCI95 != nil || c.P <= 0 || c.P > 1 {
		t.Errorf("%+v", c)
	}
	if c.Unchanged != 1 || c.BothPass != 1 || len(c.Improved) != 2 || len(c.Regressed) != 1 {
		t.Errorf("%+v", c)
	}
	if math.Abs(c.DeltaPP-10) > 1e-9 { // shares .5 1 0 .5 1 against .5 .5 .5 1 1
		t.Errorf("delta %v", c.DeltaPP)
	}
	row := r.Conditions[0]
	if row.Samples != 11 || math.Abs(row.PassAt1-0.6) > 1e-12 || row.CIMethod != "t" {
		t.Errorf("%+v", row)
	}
}

func TestUnjudgedIsNotFailed(t *testing.T) {
	r := run(t, Options{}, condition("a", "P", "P", "?", "P"), condition("b", "P", "?", "P", "F"))
	c := r.Comparisons[0]
	if c.Tasks != 2 || len(c.Regressed) != 1 || len(c.Improved) != 0 {
		t.Errorf("%+v", c)
	}
	if diff := cmp.Diff([]string{"T/1", "T/2"}, c.Unjudged); diff != "" {
		t.Error(diff)
	}
	if r.Conditions[0].Judged != 3 || r.Conditions[0].Unjudged != 1 || r.Conditions[0].PassAt1 != 1 {
		t.Errorf("%+v", r.Conditions[0])
	}
	_, err := Run([]Condition{condition("a", "P"), condition("b", "?")}, Options{})
	if !NoVerdicts(err) || NoVerdicts(errors.New("x")) {
		t.Error(err)
	}
}

func TestTaskSetsThatDiffer(t *testing.T) {
	a, b := condition("a", "P", "F", "P"), condition("b", "-", "P", "P", "F")
	b.File.Tasks[0].ID = "t/1" // another spelling
	r := run(t, Options{}, a, b)
	c := r.Comparisons[0]
	if c.Tasks != 2 || !slices.Equal(c.OnlyBase, []string{"T/0"}) || !slices.Equal(c.OnlyOther, []string{"T/3"}) ||
		!slices.Equal(c.Improved, []string{"T/1"}) {
		t.Errorf("%+v", c)
	}
	if len(r.Notes) != 2 || r.Notes[0] != "b vs a: 1 tasks are left out, only a has them: T/0" {
		t.Errorf("%q", r.Notes)
	}
	if _, err := Run([]Condition{condition("a", "P"), condition("b", "-", "P")}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "no task in common") {
		t.Error(err)
	}
}

func TestAFileWithItself(t *testing.T) {
	a := condition("a", "P", "F")
	again := a
	again.Name = "a (2)"
	r := run(t, Options{}, a, again)
	c := r.Comparisons[0]
	if c.DeltaPP != 0 || c.P != 1 || c.Words != "no task changed" && !strings.HasPrefix(c.Words, "no task changed;") {
		t.Errorf("%+v", c)
	}
	if c.CI95 == nil || c.CI95[0] >= 0 || c.CI95[1] <= 0 {
		t.Errorf("nothing changed, and the interval is %v", c.CI95)
	}
	if !slices.Contains(r.Notes, "a and a (2) are the same file") {
		t.Errorf("%q", r.Notes)
	}
}

func TestPairs(t *testing.T) {
	a, b, c, d := condition("a", "P"), condition("b", "F"), condition("c", "P"), condition("d", "F")
	r := run(t, Options{Pairs: []Pair{{"c", "d"}}}, a, b, c, d)
	var got []string
	for _, x := range r.Comparisons {
		got = append(got, x.Other+" vs "+x.Base)
	}
	if diff := cmp.Diff([]string{"b vs a", "d vs c"}, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []struct {
		pairs []Pair
		want  string
	}{
		{[]Pair{{"c", "x"}}, `--pair names "x", which no result file is called`},
		{[]Pair{{"c", "c"}}, `--pair compares "c" with itself`},
		{[]Pair{{"a", "d"}, {"c", "d"}}, `--pair compares "d" twice`},
	} {
		_, err := Run([]Condition{a, b, c, d}, Options{Pairs: bad.pairs})
		if err == nil || err.Error() != bad.want {
			t.Errorf("%v: %v", bad.pairs, err)
		}
	}
	if _, err := Run([]Condition{a}, Options{}); err == nil {
		t.Error("one file was compared")
	}
}

func TestTrend(t *testing.T) {
	down := []Condition{
		sized(condition("base", "P", "P", "P", "P", "P", "P", "P", "P"), 0), sized(condition("more", "P", "P", "P", "P", "P", "P", "F", "F"), 1000),
		sized(condition("most", "P", "P", "P", "F", "F", "F", "F", "F"), 2000),
	}
	r := run(t, Options{}, down...)
	if r.Trend == nil || math.Abs(r.Trend.SlopePP+31.25) > 1e-9 || r.Trend.Tasks != 8 ||
		!strings.HasPrefix(r.Trend.Words, "pass@1 falls by 31.25 pp for each 1,000 pairs") {
		t.Errorf("%+v", r.Trend)
	}
	flat := []Condition{down[0], sized(condition("more", "F", "P", "P", "P", "P", "P", "P", "P"), 1000),
		sized(condition("most", "P", "P", "P", "P", "P", "P", "P", "F"), 2000)}
	r = run(t, Options{Unit: "steps", Per: 500}, flat...)
	if !strings.HasPrefix(r.Trend.Words, "no trend is shown: -3.12 pp for each 500 steps") || r.Trend.CI95[0] > 0 || r.Trend.CI95[1] < 0 {
		t.Errorf("%+v", r.Trend)
	}
	if r := run(t, Options{}, down[0], down[2]); r.Trend != nil {
		t.Errorf("two sizes are no trend: %+v", r.Trend)
	}
	down[1].Size = nil
	if r := run(t, Options{}, down...); r.Trend != nil {
		t.Errorf("a trend without a size: %+v", r.Trend)
	}
}

func TestRunProperties(t *testing.T) {
	tasks := rapid.SliceOfN(rapid.StringMatching(`[PFE?]{1,3}`), 6, 6)
	rapid.Check(t, func(t *rapid.T) {
		a, b := condition("a", tasks.Draw(t, "a")...), condition("b", tasks.Draw(t, "b")...)
		r, err := Run([]Condition{a, b}, Options{Resamples: 50})
		if err != nil {
			return // nothing judged on one side, or on no task in common
		}
		c := r.Comparisons[0]
		if c.BothPass+c.BothFail+c.Unchanged+len(c.Improved)+len(c.Regressed) != c.Tasks || c.Tasks+len(c.Unjudged) != 6 {
			t.Fatalf("tasks do not add up: %+v", c)
		}
		if math.Abs(c.DeltaPP-100*(c.OtherPassAt1-c.BasePassAt1)) > 1e-9 || !(c.P > 0 && c.P <= 1) {
			t.Fatalf("%+v", c)
		}
		back, err := Run([]Condition{b, a}, Options{Resamples: 50})
		if err != nil {
			t.Fatal(err)
		}
		if o := back.Comparisons[0]; !slices.Equal(o.Improved, c.Regressed) || math.Abs(o.DeltaPP+c.DeltaPP) > 1e-9 || math.Abs(o.P-c.P) > 1e-9 {
			t.Fatalf("the other way round: %+v and %+v", c, o)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

func TestConditions(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "base_humaneval.json")
	if err := os.WriteFile(path, []byte(`{"results": [{"task_id": "a", "passed": true}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Conditions([]string{path, "My model=" + path, path}, nil, resultfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"base", "My model", "base (2)"}, namesOf(got)); diff != "" {
		t.Error(diff)
	}
	if _, err := Conditions([]string{path}, []*float64{nil, nil}, resultfile.Options{}); err == nil ||
		err.Error() != "2 sizes for 1 result files" {
		t.Error(err)
	}
	for arg, want := range map[string][2]string{"a=b": {"a", "b"}, "dir/a=b": {"", "dir/a=b"}, "=b": {"", "=b"}, "a=": {"", "a="},
		" x y =c=d": {"x y", "c=d"}} {
		if name, path := splitName(arg); name != want[0] || path != want[1] {
			t.Errorf("%q: %q %q", arg, name, path)
		}
	}
	for path, want := range map[string]string{"x/samples_eval_results.json": "samples", "s.jsonl_results.jsonl": "s", "run/": "run",
		"a.jsonl.gz": "a", "dpo_1k_humaneval.json": "dpo_1k", ".json": ".json"} {
		if got := stem(path); got != want {
			t.Errorf("stem(%q) = %q, want %q", path, got, want)
		}
	}
}

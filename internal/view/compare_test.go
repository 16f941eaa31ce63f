package view_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/compare"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

var (
	compareJSON = asJSON(runfile.Comparison{
		CompareReport: runfile.CompareReport{Verdicts: "rescored", Alarm: "beware", Seed: 7, Resamples: 10,
			Conditions: []runfile.Condition{
				{Name: "base", Path: "/etc/passwd", Size: new(0.0), Passed: 1, PassAt1: 0.5, CI95: &[2]float64{0.1, 0.9}},
				{Name: "dpo", Base: "base", Path: "../../x", Size: new(120.0)}},
			Comparisons: []runfile.Compared{{Base: "base", Other: "dpo", Tasks: 2, Improved: []string{"T/1"}, Regressed: []string{}, DeltaPP: 50,
				P: 0.5, PHolm: 1, Words: "w"}},
			Trend:         &runfile.CompareTrend{Base: "base", Words: "first"},
			FurtherTrends: []runfile.CompareTrend{{Base: "other", Words: "second"}}},
		Recorded: &runfile.CompareReport{Verdicts: "recorded", Conditions: []runfile.Condition{},
			Comparisons: []runfile.Compared{{Base: "base", Other: "dpo", Improved: []string{}, Regressed: []string{"T/1"}}}}})
	compareFlips = asLines(
		runfile.Flip{TaskID: "T/1", Sides: []runfile.FlipSide{
			{Condition: "base", Total: 1, Samples: []runfile.FlipSample{
				{Text: "a", Kind: "completion", Passed: new(false), Result: "failed", Recorded: new(true)}}},
			{Condition: "dpo"}}},
		runfile.Flip{TaskID: "T/2"})
)

func TestAComparison(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"compare.json": compareJSON, "flips.jsonl": compareFlips})
	document := get[compare.Comparison](t, dir, "compare")
	if len(document.Reports) != 2 || document.Reports[0].Alarm != "beware" || document.Reports[1].Verdicts != "recorded" ||
		document.Reports[0].Seed != 7 {
		t.Fatalf("%+v", document)
	}
	if r := document.Reports[0]; r.Trend == nil || r.Trend.Words != "first" || len(r.FurtherTrends) != 1 ||
		r.FurtherTrends[0].Words != "second" || r.Trend.Conditions == nil || r.Trend.Sizes == nil || r.FurtherTrends[0].Conditions == nil ||
		r.FurtherTrends[0].Sizes == nil {
		t.Errorf("%+v", r)
	}
	if c := document.Reports[0].Comparisons[0]; c.DeltaPP != 50 || c.CI95 != nil || c.OnlyBase == nil || len(c.Improved) != 1 {
		t.Errorf("%+v", c)
	}
	if again := get[compare.Comparison](t, dir, "compare"); len(again.Reports[0].FurtherTrends) != 1 ||
		fmt.Sprint(again.Programs) != "[T/1 T/2]" {
		t.Errorf("the second time: %+v", again)
	}
}

func TestAFlip(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"compare.json": compareJSON, "flips.jsonl": compareFlips})
	document := get[compare.Flip](t, dir, "compare/task/T/1")
	if len(document.Sides) != 2 || document.Sides[0].Samples[0].Text != "a" || *document.Sides[0].Samples[0].Passed ||
		!*document.Sides[0].Samples[0].Recorded || document.Sides[1].Samples == nil || document.Next != "T/2" {
		t.Errorf("%+v", document)
	}
	if got := fmt.Sprint(document.Changes); got != "[{base dpo rescored true} {base dpo recorded false}]" {
		t.Error(got)
	}
}

// TestNoResultFileIsRead: a comparison names the files that it was made of, and only what it has kept itself is shown.
func TestNoResultFileIsRead(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(secret, []byte(`{"task_id":"T/1","sample":0,"completion":"secret","verdict":"passed"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := runtest.Tree(t, map[string]string{"compare.json": strings.Replace(compareJSON, "/etc/passwd", secret, 1)})
	var e *doc.Error
	if _, err := open(t, dir).Get("compare/task/T/1"); !errors.As(err, &e) || e.Status != 404 || !strings.Contains(e.Hint, "compare") {
		t.Errorf("%v", err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "flips.jsonl")); err != nil {
		t.Skip("no symbolic links here: " + err.Error())
	}
	document := get[compare.Comparison](t, dir, "compare")
	if len(document.Programs) != 0 || document.Problem == "" {
		t.Errorf("a link was followed: %+v", document)
	}
}

// FuzzCompare reads comparisons that a stranger wrote.
func FuzzCompare(f *testing.F) {
	f.Add(compareJSON, compareFlips)
	f.Add(`{"recorded":{"recorded":{}},"published":{}}`, "{}\n")
	f.Add(`{"conditions":[null],"comparisons":[{"improved":null}],"published":{"rows":null}}`,
		`{"task_id":"T","sides":[{"samples":[null]}]}`+"\n")
	f.Fuzz(func(t *testing.T, comparison, flips string) {
		everything(t, runtest.Tree(t, map[string]string{"compare.json": comparison, "flips.jsonl": flips}), "compare", "compare/task/T",
			"compare/task/T/1")
	})
}

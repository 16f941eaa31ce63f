package view_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/compare"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

const (
	compareJSON = `{"verdicts":"rescored","alarm":"beware","conditions":[{"name":"base","path":"/etc/passwd","size":0,"passed":1,` +
		`"pass_at_1":0.5,"ci95":[0.1,0.9]},{"name":"dpo","base":"base","path":"../../x","size":120}],
"comparisons":[{"base":"base","other":"dpo","tasks":2,"improved":["T/1"],"regressed":[],"delta_pp":50,"p":0.5,"p_holm":1,"words":"w"}],
"trend":{"base":"base","words":"first"},"further_trends":[{"base":"other","words":"second"}],
"recorded":{"verdicts":"recorded","conditions":[],"comparisons":[{"base":"base","other":"dpo","improved":[],"regressed":["T/1"]}],` +
		`"trend":null},"seed":7,"resamples":10}`
	compareFlips = `{"task_id":"T/1","sides":[{"condition":"base","samples":[{"sample":0,"text":"a","kind":"completion","passed":false,` +
		`"result":"failed","recorded":true,"cut":false}],"total":1},{"condition":"dpo","samples":null,"total":0}]}
{"task_id":"T/2","sides":null}
`
)

func TestAComparison(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"compare.json": compareJSON, "flips.jsonl": compareFlips})
	document := get[compare.Comparison](t, dir, "compare")
	if len(document.Reports) != 2 || document.Reports[0].Alarm != "beware" || document.Reports[1].Verdicts != "recorded" ||
		document.Reports[0].Seed != 7 {
		t.Fatalf("%+v", document)
	}
	if r := document.Reports[0]; r.Trend == nil || r.Trend.Words != "first" || len(r.FurtherTrends) != 1 ||
		r.FurtherTrends[0].Words != "second" {
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

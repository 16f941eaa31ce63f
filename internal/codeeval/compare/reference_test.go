package compare

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

// The published cells follow from a baseline that was rounded before it was used: that is their whole difference from the
// counts.
func TestPrintedCellsComeFromRoundedBaselines(t *testing.T) {
	for _, row := range table {
		rate := 100 * float64(row.passed) / tasksPrinted
		delta := rate - row.baseline
		got := []string{fmt.Sprintf("%.1f%%", rate), fmt.Sprintf("%+.1fpp", delta), fmt.Sprintf("(%+.1f%% rel)", 100*delta/row.baseline)}
		if diff := cmp.Diff([]string{row.passAt1, row.delta, row.relative}, got); diff != "" {
			t.Errorf("row %d: %s", row.number, diff)
		}
	}
}

func TestReference(t *testing.T) {
	if _, err := os.Stat(sharedResults); err != nil {
		t.Skip("shared data is not here: the reference's table is not reproduced")
	}
	conditions, pairs, err := Reference(sharedResults)
	if err != nil {
		t.Fatal(err)
	}
	report := run(t, Options{Pairs: pairs}, conditions...)
	want := map[string][4]int{"DPO 500 (15B)": {2, 5, 133, 24}, "DPO 1K (15B)": {2, 8, 130, 24}, "DPO 2K (15B)": {4, 14, 124, 22},
		"DPO 2K (3B)": {4, 26, 123, 11}}
	for _, c := range report.Comparisons {
		if got := [4]int{len(c.Improved), len(c.Regressed), c.BothPass, c.BothFail}; got != want[c.Other] {
			t.Errorf("%s: %v, want %v", c.Other, got, want[c.Other])
		}
		delete(want, c.Other)
	}
	if len(want) > 0 {
		t.Errorf("not compared: %v", want)
	}
	// Exact McNemar of the notes, and the trend over tasks: computed apart, in Python.
	for i, p := range []float64{0.453125, 0.109375, 0.030884} {
		if got := *report.Comparisons[i].McNemarP; got < p-1e-6 || got > p+1e-6 {
			t.Errorf("%s: p %v, want %v", report.Comparisons[i].Other, got, p)
		}
	}
	if s := report.Trend.SlopePP; s < -2.9471-1e-3 || s > -2.9471+1e-3 {
		t.Errorf("slope %v", s)
	}
	p := Publish(Result{Comparison: runfile.Comparison{CompareReport: report}})
	var counts []string
	for _, row := range p.Rows {
		if row.RecordedPassed != nil && *row.RecordedPassed != row.PrintedPassed {
			t.Errorf("%s: %d, printed %d", row.Condition, *row.RecordedPassed, row.PrintedPassed)
		}
		if row.DeltaPP != nil {
			counts = append(counts, fmt.Sprintf("%.2f", *row.DeltaPP))
		}
	}
	if diff := cmp.Diff([]string{"-1.83", "-3.66", "-6.10", "-13.41"}, counts); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{
		"row 3, Base 15B: +0.0pp (+0.1% rel) printed, +0.0pp (+0.0% rel) from the counts against itself",
		"row 5, DPO 1K (15B): -3.6pp (-4.3% rel) printed, -3.7pp (-4.3% rel) from the counts",
		"row 8, DPO 2K (3B): -12.2pp (-13.6% rel) printed, -13.4pp (-14.8% rel) from the counts against Base 3B (re-eval)",
		"DPO 2K (15B): the list of 14 regressed tasks was cut to 10; missing: HumanEval/21, HumanEval/41, HumanEval/87, HumanEval/160",
		"DPO 2K (3B): the list of 26 regressed tasks was cut to 10; missing: HumanEval/2, ",
		`the text says "a 13.5pp collapse"`,
	} {
		if !slices.ContainsFunc(p.Errors, func(e string) bool { return strings.HasPrefix(e, part) }) {
			t.Errorf("not found: %s\nin %s", part, strings.Join(p.Errors, "\n"))
		}
	}
	if slices.ContainsFunc(p.Errors, func(e string) bool { return strings.Contains(e, "row 6") || strings.Contains(e, "in its file") }) {
		t.Errorf("an error that is none: %s", strings.Join(p.Errors, "\n"))
	}
	if _, _, err := Reference(t.TempDir()); err == nil || !strings.Contains(err.Error(), "base_15b_humaneval.json") {
		t.Error(err)
	}
}

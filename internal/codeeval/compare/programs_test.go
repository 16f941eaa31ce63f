package compare

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// TestTheProgramsOfFlipsAreKept: of tasks that changed, and of no other; every condition's, within bounds.
func TestTheProgramsOfFlipsAreKept(t *testing.T) {
	base, tuned, other := condition("base", "P", "F", "P", "F"), condition("tuned", "P", "P", "F", "F"), condition("other", "P", "F", "P", "P")
	tuned.File.Tasks[1].ID = "t/1" // another spelling
	tuned.File.Tasks[1].Samples[0].Text = strings.Repeat("é", mostProgram)
	conditions := []Condition{base, tuned, other}
	r := Result{Comparison: runfile.Comparison{CompareReport: run(t, Options{}, conditions...)}}
	r.KeepFlips(conditions, nil)
	var ids []string
	for _, f := range r.Flips {
		ids = append(ids, f.TaskID)
		if len(f.Sides) != 3 {
			t.Errorf("%s: %d sides", f.TaskID, len(f.Sides))
		}
	}
	if got := strings.Join(ids, " "); got != "T/1 T/2 T/3" {
		t.Fatalf("kept %q", got)
	}
	long := r.Flips[0].Sides[1].Samples[0]
	if !long.Cut || len(long.Text) > mostProgram || strings.Trim(long.Text, "é") != "" || long.Passed == nil || !*long.Passed ||
		long.Recorded != nil {
		t.Errorf("the long program: %d bytes, cut %v, passed %v, recorded %v", len(long.Text), long.Cut, long.Passed, long.Recorded)
	}
}

func TestFlipsOfARescoringSayWhatWasRecorded(t *testing.T) {
	recorded := []Condition{condition("base", "P", "P"), condition("tuned", "P", "P")}
	again := []Condition{condition("base", "P", "F"), condition("tuned", "P", "P")}
	before := run(t, Options{}, recorded...)
	r := Result{Comparison: runfile.Comparison{CompareReport: run(t, Options{Verdicts: Rescored}, again...), Recorded: &before}}
	r.KeepFlips(again, recorded)
	if len(r.Flips) != 1 || r.Flips[0].TaskID != "T/1" {
		t.Fatalf("%+v", r.Flips)
	}
	s := r.Flips[0].Sides[0].Samples[0]
	if *s.Passed || s.Recorded == nil || !*s.Recorded || s.Kind != string(resultfile.Completion) {
		t.Errorf("%+v", s)
	}
}

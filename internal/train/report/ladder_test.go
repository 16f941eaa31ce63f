package report

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// TestJudge has the gate open for a reward that is higher beyond chance, and for nothing else.
func TestJudge(t *testing.T) {
	rung := func(pairs int, diff, p float64) runfile.TrainingRung {
		return runfile.TrainingRung{Pairs: pairs, Status: trace.StatusCompleted,
			Test: &runfile.TaskTest{Comparison: stats.Comparison{Diff: diff}, PHolm: p}}
	}
	diverged := rung(9, 0.3, 0.001)
	diverged.Status = trace.StatusDiverged
	for name, c := range map[string]struct {
		ladder []runfile.TrainingRung
		passed []bool
		words  string
	}{
		"better":          {[]runfile.TrainingRung{rung(120, 0.1, 0.01)}, []bool{true}, "the gate says yes: with 120 pairs the policy earns +0.100"},
		"at the limit":    {[]runfile.TrainingRung{rung(120, 0.1, 0.05)}, []bool{true}, "says yes"},
		"by chance":       {[]runfile.TrainingRung{rung(120, 0.1, 0.06)}, []bool{false}, "says no"},
		"worse":           {[]runfile.TrainingRung{rung(120, -0.1, 0.001)}, []bool{false}, "says no"},
		"diverged":        {[]runfile.TrainingRung{diverged}, []bool{false}, "says no"},
		"not played":      {[]runfile.TrainingRung{{Pairs: 1, Status: trace.StatusCompleted}}, []bool{false}, "says no"},
		"the second best": {[]runfile.TrainingRung{rung(120, 0.3, 0.2), rung(500, 0.2, 0.01), rung(1000, 0.1, 0.01)}, []bool{false, true, true}, "with 500 pairs the policy earns +0.200 on the held-out tasks (p 0.01); of 3 sizes"},
		"nothing":         {nil, nil, "says no"},
	} {
		s := runfile.TrainingSummary{Ladder: c.ladder}
		Judge(&s)
		any := false
		for i, g := range s.Ladder {
			if g.Passed != c.passed[i] {
				t.Errorf("%s: %d pairs: passed %v", name, g.Pairs, g.Passed)
			}
			any = any || g.Passed
		}
		if s.Gate.Passed != any || !strings.Contains(s.Gate.Words, c.words) {
			t.Errorf("%s: %+v", name, s.Gate)
		}
	}
}

// TestLadderTable distinguishes unmeasured figures from measured ones.
func TestLadderTable(t *testing.T) {
	s := runfile.TrainingSummary{Method: "dpo", Ladder: []runfile.TrainingRung{{Pairs: 120, Tasks: 60, Gap: 0.5, Steps: 16,
		Status: trace.StatusDiverged, Alarms: []string{"step 3: <b>"}},
		{Pairs: 500, Tasks: 70, Gap: 0.5, Steps: 16, Status: trace.StatusCompleted, Heldout: &runfile.TrainingPairwise{Pairs: 64, Accuracy: 0.75, PreferenceLoss: 0.6, ChosenDrift: -0.02}}}}
	Judge(&s)
	rows := ladderTable(s).Rows
	if got := strings.Join(rows[1], " "); got != "120 60 0.50 16 - - - - - - - - 1 no: diverged" {
		t.Error(got)
	}
	if got := strings.Join(rows[2], " "); got != "500 70 0.50 16 - - - - - 75% of 64 0.600 -0.020 0 no" {
		t.Error(got)
	}
	var said []string
	addLadder(&s, func(format string, args ...any) { said = append(said, format) })
	if all := strings.Join(said, " "); !strings.Contains(all, "and equally many steps") || !strings.Contains(all, "Alarm with %d pairs") {
		t.Error(all)
	}
	if len(ladderTable((runfile.TrainingSummary{})).Rows) != 0 {
		t.Error("a table of nothing")
	}
}

package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train/report"
)

// TestRefused has a training whose gate says no end with the exit code of a no, after its tables are printed.
func TestRefused(t *testing.T) {
	var out, err strings.Builder
	a := &app{stdout: &out, stderr: &err}
	s := runfile.TrainingSummary{Schema: report.Schema, Run: "runs/x", Method: "dpo",
		Ladder: []runfile.TrainingRung{{Pairs: 120, Status: trace.StatusCompleted}}}
	report.Judge(&s)
	got := a.finishTrain(s, nil)
	var exit exitError
	if !errors.As(got, &exit) || exit.code != exitNo || !strings.Contains(got.Error(), "the gate says no") ||
		!strings.Contains(out.String(), "| 120 ") {
		t.Errorf("%v: %s", got, out.String())
	}
	s.Gate.Passed = true
	if err := a.finishTrain(s, nil); err != nil {
		t.Error(err)
	}
	s.Gate = nil
	if err := a.finishTrain(s, nil); err != nil {
		t.Error(err)
	}
}

func TestPreferenceWords(t *testing.T) {
	s := runfile.TrainingStep{Pairs: 16, Loss: 0.6, Margin: 0.25, Accuracy: 0.75, ChosenLogP: -12.25, RejectedLogP: -30, TokensPerSecond: 9000,
		HeldoutPairs: &runfile.TrainingPairwise{PreferenceLoss: 0.65, Accuracy: 0.5}}
	if got, want := stepWords(s), "loss 0.600  margin +0.250  accuracy 75%  chosen -12.2  rejected -30.0  held out: loss 0.650 accuracy "+
		"50%  9000 tokens/s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

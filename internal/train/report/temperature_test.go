package report

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// TestTemperaturesAreThoseOfTheRun says none that the run did not have.
func TestTemperaturesAreThoseOfTheRun(t *testing.T) {
	s := runfile.TrainingSummary{Method: "grpo"}
	if title := progressionTitle(s); strings.Contains(title, "temperature") {
		t.Errorf("of a run that says none: %s", title)
	}
	s.Temperature = runfile.TrainingTemperature{Training: 0.8, Between: 0.65}
	if title := progressionTitle(s); !strings.Contains(title, "training tasks at temperature 0.8;") ||
		!strings.Contains(title, "other tasks at temperature 0.65)") {
		t.Errorf("it says %s", title)
	}
}

package report

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

const rollouts = `{"id":"a","events":[{"kind":"root"},{"kind":"cell","cell":{"code":"x","error_type":"SyntaxError"}},` +
	`{"kind":"cell","cell":{"code":"y"}}]}
{"id":"b","events":[{"kind":"cell","cell":{"error_type":"NameError"}},{"kind":"cell","cell":{"error_type":"IndentationError"}}]}
`

func TestCountCells(t *testing.T) {
	got, err := countCells(strings.NewReader(rollouts))
	if want := (runfile.TrainingCells{Cells: 4, Errors: 3, Syntax: 2}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := countCells(strings.NewReader(rollouts + "{")); err == nil {
		t.Error("a torn line was counted")
	}
	if _, err := CountCells(t.TempDir()); err == nil {
		t.Error("there are no traces")
	}
}

// FuzzCountCells: whatever stands in the traces, the counts fit together.
func FuzzCountCells(f *testing.F) {
	f.Add(rollouts)
	f.Add(`{"events":[{"cell":{"error_type":7}}]}`)
	f.Add("{}\n\n[]")
	f.Fuzz(func(t *testing.T, text string) {
		c, _ := countCells(strings.NewReader(text))
		if c.Syntax > c.Errors || c.Errors > c.Cells || c.Syntax < 0 {
			t.Errorf("%+v", c)
		}
	})
}

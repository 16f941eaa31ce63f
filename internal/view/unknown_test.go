package view_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/training"
)

// What a training's page does not show may have any shape.
func TestATrainingShowsNoProgression(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": trainManifest,
		"summary.json": `{"method":"sft","schema":"x","progression":{"step":[]}}`})
	if d := get[training.TrainingDoc](t, dir, "training"); d.Problem != "" || d.Summary == nil || len(d.Summary.Progression) != 0 {
		t.Errorf("%+v", d)
	}
}

// What a file does not say is unknown, never 0, and a field that is not shown may have any shape.
func TestHeadersLeaveOutWhatIsNotSaid(t *testing.T) {
	for command, file := range map[string][2]string{
		"analyze":     {"report.json", `{"run": {"status": "completed", "id": 7}, "coverage": {}}`},
		"eval":        {"summary.json", `{"status": "completed", "model": 7}`},
		"bench":       {"bench.json", `{"rows": [{"config": "a", "turns": "many", "runs": 7, "truth": []}], "codebases": ["x"], "tests": 1}`},
		"code eval":   {"summary.json", `{"complete": true, "pass_at_k": {}, "slowest": 7}`},
		"pairs build": {"summary.json", `{"train": 1, "options": 7}`},
		"train":       {"summary.json", `{"status": "completed", "caveats": 7, "progression": {}, "seed": "x", "before": {"tasks": 1}, "test": []}`},
	} {
		h := header(t, runtest.Tree(t, map[string]string{"run.json": `{"schema": 1, "command": "` + command + `"}`, file[0]: file[1]}))
		if h.Status != doc.Completed || h.DurationS != nil || h.Score != nil {
			t.Errorf("%s: %+v", command, h.Row)
		}
		for _, f := range h.Facts {
			if f.Value == "0" || f.Value == "0 of 0" || f.Name == "coverage" {
				t.Errorf("%s: %+v", command, f)
			}
		}
	}
}

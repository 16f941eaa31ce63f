package view_test

import (
	"encoding/json"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
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
		"list":        {"summary.json", `{"status": "completed", "repositories": [{"top": 7}], "first": 7}`},
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

// TestDocumentsAskNothingOfWhatIsNotShown gives what no document shows another shape than it ever had.
func TestDocumentsAskNothingOfWhatIsNotShown(t *testing.T) {
	odd := func(text string, names ...string) string {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if _, there := fields[name]; !there {
				t.Errorf("no %s is written", name)
			}
			fields[name] = [][]any{{7}}
		}
		return asLines[any](fields)
	}
	files := codeFiles()
	sum := codeSummary()
	sum.Steps, sum.Rescue = map[string]int{"fence": 1}, &runfile.Rescue{}
	files["summary.json"] = odd(asLines[any](sum), "seconds", "programs_per_second", "complete", "extraction_steps", "rescue", "slowest",
		"per_task", "dataset_sha256")
	if run := get[code.CodeRun](t, runtest.Tree(t, files), "codeeval"); run.Problem != "" || len(run.PassAtK) != 2 || run.CI95 == nil {
		t.Errorf("%+v", run)
	}
	files = without(pairsFiles(), "train.jsonl")
	files["summary.json"] = odd(files["summary.json"], "train", "heldout", "train_tasks", "heldout_tasks", "options", "programs_remembered")
	if set := get[pairs.PairSet](t, runtest.Tree(t, files), "pairs"); set.Problem != "" || set.Run != 12 {
		t.Errorf("%+v", set)
	}
	// A verification keeps what else a stranger's samples say.
	files = codeFiles()
	files["samples.jsonl"] = `{"task_id":"T/2","sample":0,"prompt_sha256":7,"mode":{"name":"x"},"model":["a"],"completion":"text"}` + "\n"
	if task := get[code.CodeTask](t, runtest.Tree(t, files), "codeeval/task/T/2"); len(task.Samples) != 1 || task.Samples[0].Text != "text" {
		t.Errorf("%+v", task)
	}
}

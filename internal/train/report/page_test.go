package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// The page of several trainings holds their tables and their steps, and nothing that acts.
func TestWritePage(t *testing.T) {
	evil := "</script><script>alert(1)</script>"
	dirs := [2]string{filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")}
	for i, dir := range dirs {
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "run.json"),
			[]byte(`{"schema":1,"command":"train","method":"grpo","options":{}}`), 0o644)); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := os.WriteFile(filepath.Join(dir, "metrics.jsonl"), []byte(`{"step":1,"loss":0.5,"heldout":0.625}`+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	one, two := trained(dirs[0], 1, evil, 5, 0.1, 0.2), trained(dirs[1], 2, "small", 9, 0.1, 0.2)
	j, err := Join([]runfile.TrainingSummary{one, two})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := j.WritePage(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{`"training/compare":{"runs":[`, `"training/compare/0":{"total":1`, `"heldout":[0.625]`,
		`"sections":["training"]`, `alert(1)`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(text, evil) || strings.Contains(text, "training/compare/1") {
		t.Error("the page holds a name as an element, or steps that there are not")
	}
	j.Runs[1].Run = filepath.Join(dirs[1], "gone")
	if err := j.WritePage(&strings.Builder{}); err == nil {
		t.Error("a training that is not there was drawn")
	}
}

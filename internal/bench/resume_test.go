package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameResult compares what two executions must agree in: everything but times.
func sameResult(t *testing.T, want, got Result) {
	t.Helper()
	for _, r := range []*Result{&want, &got} {
		r.StartedAt = time.Time{}
		for i := range r.Codebases {
			r.Codebases[i].Path = ""
		}
	}
	opts := []cmp.Option{cmpopts.IgnoreUnexported(Review{}), cmpopts.IgnoreFields(Review{}, "DurationS"), cmpopts.EquateNaNs()}
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		t.Error(diff)
	}
}

// Interrupted in the middle of a run and resumed: the tables are those of an uninterrupted bench, finished runs are not
// begun again, and the interrupted run continues from its trace.
func TestInterruptAndResume(t *testing.T) {
	dir := t.TempDir()
	whole, err := Run(t.Context(), spec(t, filepath.Join(dir, "whole"), honest, random, single), newEnv(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	e := newEnv(t, nil)
	e.Observe = func(p Progress) {
		if p.Run == 4 && p.Review.Turn == 2 {
			cancel()
		}
	}
	out := filepath.Join(dir, "cut")
	cut, err := Run(ctx, spec(t, out, honest, random, single), e)
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || stopped.Done != 3 || !strings.Contains(stopped.Hint(), "deeprepo resume") {
		t.Fatalf("%v", err)
	}
	if s := cut.Result.Rows[0].Runs[1]; s.State != StateStopped || cut.Result.Rows[1].Runs[1].State != StateWaiting {
		t.Errorf("after the interruption: %+v", s)
	}
	if md, err := os.ReadFile(filepath.Join(out, "bench.md")); err != nil || !strings.Contains(string(md), "runs that are not begun: 2") ||
		!strings.Contains(string(md), "interrupted") {
		t.Errorf("%v\n%s", err, md)
	}
	if !IsRun(out) || IsRun(dir) {
		t.Error("IsRun")
	}
	e = newEnv(t, nil)
	var begun []int
	e.Observe = func(p Progress) {
		if len(begun) == 0 || begun[len(begun)-1] != p.Run {
			begun = append(begun, p.Run)
		}
	}
	resumed, err := Resume(t.Context(), out, nil, e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{4, 5, 6}, begun); diff != "" {
		t.Errorf("runs that were begun: %s", diff)
	}
	sameResult(t, whole.Result, resumed.Result)
	again, err := Resume(t.Context(), out, nil, newEnv(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	sameResult(t, whole.Result, again.Result)
}

// A path with its truth, one without, and one that is changed before the bench is resumed.
func TestPaths(t *testing.T) {
	dir := t.TempDir()
	runtest.WriteFile(t, filepath.Join(dir, "g/tree/a.py"), "import os\n\n\ndef run(cmd):\n    os.system(cmd)\n")
	runtest.WriteFile(t, filepath.Join(dir, "g/truth.json"), `[{"file":"a.py","line":5,"category":"injection","severity":"high"}]`)
	runtest.WriteFile(t, filepath.Join(dir, "plain/b.py"), "import os\n\n\ndef run(cmd):\n    os.system(cmd)\n")
	e := newEnv(t, nil)
	e.Registry.Register("reader", func(string) (llm.Handle, error) {
		return llm.Handle{Local: true, Price: llm.NotBilled(), Model: llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
			file := "a.py"
			if strings.Contains(r.Messages[len(r.Messages)-1].Content, "b.py") {
				file = "b.py"
			}
			return llm.Response{Finish: llm.FinishStop,
				Text: fmt.Sprintf(`{"summary":"s","findings":[{"file":%q,"line":5,"severity":"high","category":"injection",`+
					`"title":"t","evidence":"    os.system(cmd)","explanation":"e"}]}`, file)}, nil
		})}, nil
	})
	s := Spec{Out: filepath.Join(dir, "out"), Codebases: []CodebaseSpec{{Path: filepath.Join(dir, "g")}, {Path: filepath.Join(dir, "plain")}},
		Configs: []ConfigSpec{{Name: "a", Root: "offline/orchestrator", Worker: "reader/x"},
			{Name: "b", Root: "policy/finish-at-once", Worker: "reader/x"}}}
	got, err := Run(t.Context(), s, e)
	if err != nil {
		t.Fatal(err)
	}
	a := got.Result.Rows[0]
	if a.Truth == nil || a.Truth.Found != 1 || a.Truth.Total != 1 || *a.Unique != 2 || *a.Truth.Unique != 1 ||
		!got.Result.Codebases[0].Truth || got.Result.Codebases[1].Truth {
		t.Errorf("%+v, unique %d", a.Truth, *a.Unique)
	}
	if len(got.Result.Notes) == 0 || !strings.Contains(got.Result.Notes[0], "1 of 2 codebases have no truth") {
		t.Errorf("notes: %q", got.Result.Notes)
	}
	runtest.WriteFile(t, filepath.Join(dir, "plain/b.py"), "changed = 1\n")
	if _, err := Resume(t.Context(), s.Out, nil, e); err == nil || !strings.Contains(err.Error(), "has changed since the bench began") {
		t.Errorf("%v", err)
	}
	runtest.WriteFile(t, filepath.Join(dir, "g/truth.json"), `[{"file":"c.py","line":5,"category":"injection","severity":"high"}]`)
	s.Out = filepath.Join(dir, "out2")
	if _, err := Run(t.Context(), s, e); err == nil || !strings.Contains(err.Error(), `no file "c.py"`) {
		t.Errorf("%v", err)
	}
}

// Killed before everything was ready, or between the making of a run's directory and its manifest.
func TestResumeFromNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	s, err := spec(t, out, honest, single).check()
	if err != nil {
		t.Fatal(err)
	}
	m := Manifest{Spec: s}
	m.Schema, m.Command, m.Version = 1, command, "test"
	m.Fingerprint = m.fingerprint()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(out, rundir.ManifestName), string(data))
	runtest.WriteFile(t, filepath.Join(out, codebasesName, "01-python-easy-train-0-0", taskset.TreeName, "half.py"), "half = 1\n")
	runtest.WriteFile(t, filepath.Join(out, runsName, "01-python-easy-train-0-0", "01-honest", ".gitignore"), "*\n")
	got, err := Resume(t.Context(), out, nil, newEnv(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Run(t.Context(), spec(t, filepath.Join(t.TempDir(), "whole"), honest, single), newEnv(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	sameResult(t, whole.Result, got.Result)
	tampered := strings.Replace(string(data), "policy/honest", "policy/silent", 1)
	runtest.WriteFile(t, filepath.Join(out, rundir.ManifestName), tampered)
	if _, err := Resume(t.Context(), out, nil, newEnv(t, nil)); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("%v", err)
	}
}

// A forged directory leads a resumed bench nowhere outside of it.
func TestResumeFollowsNoLinkOut(t *testing.T) {
	dir := t.TempDir()
	out, outside := filepath.Join(dir, "out"), filepath.Join(dir, "outside")
	if _, err := Run(t.Context(), spec(t, out, single), newEnv(t, nil)); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(outside, "mine.txt"), "mine")
	if err := errors.Join(os.RemoveAll(filepath.Join(out, runsName)), os.Symlink(outside, filepath.Join(out, runsName))); err != nil {
		t.Fatal(err)
	}
	_, err := Resume(t.Context(), out, nil, newEnv(t, nil))
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || stopped.Done != 0 {
		t.Errorf("%v", err)
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v: %v", entries, err)
	}
}

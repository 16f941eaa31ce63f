package taskset

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// quixText is a line of programs.jsonl about a program of our own.
func quixText(t *testing.T, name string) string {
	t.Helper()
	line, err := json.Marshal(map[string]any{"name": name, "json_testcases": false, "driver": nil,
		"buggy": "def " + name + "(x):\n    return x\n\"\"\"\nx and one\n\"\"\"\n", "correct": "def " + name + "(x):\n    return x + 1\n"})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// TestPacking packs twelve programs: every one stands in one codebase, five in each while they last, the same for the
// same seed.
func TestPacking(t *testing.T) {
	var lines []string
	for i := range 12 {
		lines = append(lines, quixText(t, fmt.Sprintf("p%02d", i)))
	}
	open := func(lines []string) *QuixBugs {
		q, err := OpenQuixBugs(runtest.Tree(t, map[string]string{"programs.jsonl": strings.Join(lines, "\n"),
			"support.json": `{"aid.py": "Z = 0\n"}`}))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	pack := func(q *QuixBugs, seed int64) (ids []string, sizes []int, all map[string]int) {
		all = map[string]int{}
		for _, task := range q.Tasks(seed) {
			ids, sizes = append(ids, task.ID), append(sizes, len(task.Defects))
			for _, p := range task.Codebase.Paths() {
				all[p]++
			}
		}
		return ids, sizes, all
	}
	q := open(lines)
	ids, sizes, all := pack(q, 7)
	if d := cmp.Diff([]int{5, 5, 2}, sizes); d != "" {
		t.Error(d)
	}
	for p, n := range all {
		if want := 1; p != "programs/aid.py" && n != want || p == "programs/aid.py" && n != 3 {
			t.Errorf("%s stands in %d codebases", p, n)
		}
	}
	if len(all) != 13 {
		t.Errorf("%d files, want 12 programs and what they import", len(all))
	}
	other, _, _ := pack(q, 8)
	if cmp.Equal(ids, other) {
		t.Error("seeds 7 and 8 pack alike")
	}
	again, _, _ := pack(q, 7)
	if d := cmp.Diff(ids, again); d != "" {
		t.Errorf("seed 7 packs otherwise the second time: %s", d)
	}
	// The order in the file means nothing.
	shuffled := append(append([]string{}, lines[5:]...), lines[:5]...)
	again, _, _ = pack(open(shuffled), 7)
	if d := cmp.Diff(ids, again); d != "" {
		t.Errorf("the order of the file decides: %s", d)
	}
}

func TestQuixBugsErrors(t *testing.T) {
	good := quixText(t, "good")
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no file":        {map[string]string{"x": "x"}, "programs.jsonl: no such file"},
		"empty":          {map[string]string{"programs.jsonl": "\n"}, "programs.jsonl: the file holds no program"},
		"no JSON":        {map[string]string{"programs.jsonl": good + "\nx"}, "programs.jsonl:2: this is no JSON object"},
		"unknown field":  {map[string]string{"programs.jsonl": strings.Replace(good, "driver", "river", 1)}, `programs.jsonl:1: unknown field "river"`},
		"name leads out": {map[string]string{"programs.jsonl": strings.Replace(good, `"name":"good"`, `"name":"../good"`, 1)}, `programs.jsonl:1: name "../good"`},
		"twice":          {map[string]string{"programs.jsonl": good + "\n" + good}, `programs.jsonl:2: name "good"`},
		"no defect":      {map[string]string{"programs.jsonl": strings.Replace(good, "x + 1", "x", 1)}, "programs.jsonl:1: good: the program and its correction are the same code"},
		"support":        {map[string]string{"programs.jsonl": good, "support.json": "[]"}, "support.json: "},
		"support's name": {map[string]string{"programs.jsonl": good, "support.json": `{"../x.py": ""}`}, `support.json: "../x.py" is no module of its own`},
		"support hides":  {map[string]string{"programs.jsonl": good, "support.json": `{"good.py": ""}`}, `support.json: "good.py" is no module of its own`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := OpenQuixBugs(runtest.Tree(t, c.files))
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Hint() == "" {
				t.Errorf("%v, want %q and a hint", err, c.want)
			}
		})
	}
	if _, err := OpenQuixBugs(filepath.Join(t.TempDir(), "nope")); err == nil || !strings.Contains(err.Error(), "nope: no such directory") {
		t.Error(err)
	}
}

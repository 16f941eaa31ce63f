package taskset

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// quixData is where the programs are on machines that have them.
const quixData = "../../../../shared/data/quixbugs"

func quixLines(t *testing.T) []quixLine {
	t.Helper()
	f, err := os.Open(filepath.Join(quixData, "programs.jsonl"))
	if err != nil {
		t.Skip("shared data is not here: the QuixBugs programs are not looked at")
	}
	defer f.Close()
	var all []quixLine
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var l quixLine
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// TestQuixBugsTruth holds the truth against the programs: the lines it names are the ones that a correction changes.
func TestQuixBugsTruth(t *testing.T) {
	lines := quixLines(t)
	q, err := OpenQuixBugs(quixData)
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 40 {
		t.Errorf("%d programs, want 40", len(lines))
	}
	byFile := map[string]quixLine{}
	for _, l := range lines {
		byFile[quixBugsDir+l.Name+".py"] = l
	}
	tasks := q.Tasks(0)
	if len(tasks) != 8 {
		t.Errorf("%d codebases, want 8", len(tasks))
	}
	kinds, seen := map[string]int{}, map[string]bool{}
	for _, task := range tasks {
		if len(task.Defects) != 5 {
			t.Errorf("%s has %d defects, want 5", task.ID, len(task.Defects))
		}
		if _, ok := task.Codebase.Text(quixBugsDir + "node.py"); !ok {
			t.Errorf("%s lacks node.py, which programs import", task.ID)
		}
		if at, err := checkDefects(task.Codebase, task.Defects); err != nil {
			t.Errorf("%s: defect %d: %v", task.ID, at, err)
		}
		for _, d := range task.Defects {
			l, text := byFile[d.File], ""
			if text, _ = task.Codebase.Text(d.File); text != l.Buggy || seen[d.File] {
				t.Errorf("%s is not the buggy program as it is, or stands in two codebases", d.File)
			}
			seen[d.File] = true
			kinds[d.Category]++
			repaired(t, l, d.Line, d.EndLine)
			if d.EndLine-d.Line > 2 {
				t.Errorf("%s: the defect spans lines %d to %d: one statement is wrong in each program", d.File, d.Line, d.EndLine)
			}
		}
		for _, p := range task.Codebase.Paths() {
			text, _ := task.Codebase.Text(p)
			for _, l := range lines {
				if strings.Contains(text, strings.TrimSpace(code(l.Correct))) {
					t.Errorf("%s, %s holds the correction of %s", task.ID, p, l.Name)
				}
			}
		}
	}
	if len(seen) != len(lines) {
		t.Errorf("%d programs are packed, want %d", len(seen), len(lines))
	}
	for kind := range kinds {
		if !slices.Contains(taxonomy.Categories(), kind) {
			t.Errorf("category %q is none of finding's", kind)
		}
	}
	if len(kinds) < 4 {
		t.Errorf("categories are %v: four kinds of change are told apart", kinds)
	}
	t.Logf("categories: %v", kinds)
}

// code is a program's code, its comments and docstrings left out.
func code(program string) string {
	var b strings.Builder
	for _, l := range codeLines(program) {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// repaired puts the correction's lines into the place that the truth names; the result must be the correction.
func repaired(t *testing.T, l quixLine, from, to int) {
	t.Helper()
	bad, good := codeLines(l.Buggy), codeLines(l.Correct)
	before, after := 0, 0
	for _, b := range bad {
		switch {
		case b.number < from:
			before++
		case b.number > to:
			after++
		}
	}
	if before+after > len(good) {
		t.Errorf("%s: %d lines stay as they are, and the correction has only %d", l.Name, before+after, len(good))
		return
	}
	same := len(bad)-before-after == len(good)-before-after
	for i, b := range bad {
		switch {
		case i < before && b.text != good[i].text:
			t.Errorf("%s:%d: %q differs from the correction and is not in the truth", l.Name, b.number, b.text)
		case i >= len(bad)-after && b.text != good[len(good)-len(bad)+i].text:
			t.Errorf("%s:%d: %q differs from the correction and is not in the truth", l.Name, b.number, b.text)
		case i >= before && i < len(bad)-after && same && b.text == good[i].text:
			t.Errorf("%s:%d: %q is in the truth and does not differ from the correction", l.Name, b.number, b.text)
		}
	}
}

//go:embed testdata/quixbugs_run.py
var quixRun string

// TestQuixBugsBehaviour runs the programs: every buggy one fails one of its cases, or prints something else in its
// driver, and every correct one passes them all.
func TestQuixBugsBehaviour(t *testing.T) {
	lines := quixLines(t)
	if testing.Short() {
		t.Skip("short: the QuixBugs programs are not run")
	}
	ctx := context.Background()
	engine, err := sandbox.Open(ctx, sandbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	support, err := os.ReadFile(filepath.Join(quixData, "support.json"))
	if err != nil {
		t.Fatal(err)
	}
	var helpers map[string]string
	if err := json.Unmarshal(support, &helpers); err != nil {
		t.Fatal(err)
	}
	byCases, byDriver := 0, 0
	for _, l := range lines {
		if !l.Cases {
			byDriver++
			good, bad := drive(t, engine, helpers, l, l.Correct), drive(t, engine, helpers, l, l.Buggy)
			if good == "" || strings.HasPrefix(good, "failed:") {
				t.Errorf("%s: the driver says of the correction %q", l.Name, good)
			}
			if good == bad {
				t.Errorf("%s: the driver prints the same for both: %q", l.Name, good)
			}
			continue
		}
		byCases++
		data, err := os.ReadFile(filepath.Join(quixData, "json_testcases", l.Name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var cases []json.RawMessage
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" {
				cases = append(cases, json.RawMessage(line))
			}
		}
		good, bad := verdicts(t, engine, helpers, l, l.Correct, cases, 4_000_000), verdicts(t, engine, helpers, l, l.Buggy, cases, 500_000)
		passed, failed := 0, 0
		for i := range cases {
			switch {
			case good[i] == "ok" && bad[i] != "ok":
				failed++
				passed++
			case good[i] == "ok":
				passed++
			case good[i] == "stopped":
				t.Logf("%s: case %d takes more steps than it is given here", l.Name, i+1)
			default:
				t.Errorf("%s: the correction on case %d: %s", l.Name, i+1, good[i])
			}
		}
		if passed == 0 || failed == 0 {
			t.Errorf("%s: the correction passes %d of %d cases, and the program fails %d of them", l.Name, passed, len(cases), failed)
		}
	}
	t.Logf("%d programs by cases, %d by drivers", byCases, byDriver)
	if byCases != 31 || byDriver != 9 {
		t.Errorf("%d programs by cases and %d by drivers, want 31 and 9", byCases, byDriver)
	}
}

// open opens a session in which a program is loaded.
func open(t *testing.T, e *sandbox.Engine, helpers map[string]string, l quixLine, text string, cases []json.RawMessage,
	steps int64) *sandbox.Session {
	t.Helper()
	setup, err := json.Marshal(map[string]any{"name": l.Name, "program": text, "helpers": helpers, "driver": l.Driver, "cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.NewSession(context.Background(), sandbox.SessionConfig{Prelude: quixRun, Setup: setup, Limits: sandbox.Limits{Steps: steps}})
	if err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	return s
}

// verdicts says for each case "ok", "stopped" by the limit, or what went wrong.
func verdicts(t *testing.T, e *sandbox.Engine, helpers map[string]string, l quixLine, text string, cases []json.RawMessage,
	steps int64) []string {
	t.Helper()
	s := open(t, e, helpers, l, text, cases, steps)
	defer s.Close()
	out := make([]string, len(cases))
	for i := range cases {
		out[i] = run(t, s, fmt.Sprintf("print(_case(%d))", i))
		if out[i] == "stopped" && steps < 1_000_000 {
			for j := i + 1; j < len(cases); j++ {
				out[j] = "not tried" // one endless case is enough
			}
			break
		}
	}
	return out
}

func drive(t *testing.T, e *sandbox.Engine, helpers map[string]string, l quixLine, text string) string {
	t.Helper()
	s := open(t, e, helpers, l, text, nil, 500_000)
	defer s.Close()
	return run(t, s, "_drive()")
}

func run(t *testing.T, s *sandbox.Session, cell string) string {
	t.Helper()
	r, err := s.Run(context.Background(), cell)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case r.Stop != "":
		return "stopped"
	case r.Error != nil:
		return "failed: " + r.Error.Error()
	}
	return strings.TrimSpace(r.Output)
}

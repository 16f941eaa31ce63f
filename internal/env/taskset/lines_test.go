package taskset

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

const (
	goodTruth = `[{"file": "a.py", "line": 1, "category": "logic", "severity": "low"}]`
	goodLine  = `{"id": "one", "files": {"a.py": "x = 1\ny = 2\n"}, "truth": ` + goodTruth + `}`
)

func TestLines(t *testing.T) {
	second := `{"id": "two", "tree": "trees/two", "truth": [{"file": "b.go", "line": 2, "end_line": 3, "category": "logic", "cwe": "", ` +
		`"severity": "high", "description": "d", "cross_file": true}], ` +
		`"decoys": [{"file": "b.go", "line": 1, "category": "other", "why": "w"}], "language": "golang", "difficulty": "hard"}`
	dir := runtest.Tree(t, map[string]string{"mine.jsonl": "\ufeff" + goodLine + "\n\n" + second,
		"trees/two/b.go": "package b\n\nvar X = 1\n"})
	s, err := Open(context.Background(), filepath.Join(dir, "mine.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "mine" || len(s.Tasks) != 2 {
		t.Fatalf("set %q of %d tasks", s.Name, len(s.Tasks))
	}
	one, two := s.Tasks[0], s.Tasks[1]
	if d := cmp.Diff([]env.Defect{{File: "a.py", Line: 1, EndLine: 1, Category: "logic", Severity: "low"}}, one.Defects); d != "" {
		t.Errorf("an end that is left out is the line: %s", d)
	}
	if !strings.HasPrefix(one.ID, "mine/one@") || one.Language != "python" || one.Difficulty != "" {
		t.Errorf("first task %q in %q, %q", one.ID, one.Language, one.Difficulty)
	}
	if text, _ := two.Codebase.Text("b.go"); text != "package b\n\nvar X = 1\n" || two.Language != "golang" || two.Difficulty != "hard" ||
		!two.Defects[0].CrossFile {
		t.Errorf("second task: %q, %q, %q, %v", text, two.Language, two.Difficulty, two.Defects)
	}
	if len(two.Decoys) != 1 || two.Decoys[0].EndLine != 1 {
		t.Errorf("decoys %v", two.Decoys)
	}
}

// TestLineErrors has a good line before every bad one: the error names line 2.
func TestLineErrors(t *testing.T) {
	change := func(pairs ...string) string {
		return strings.NewReplacer(pairs...).Replace(strings.Replace(goodLine, "one", "two", 1))
	}
	for name, c := range map[string]struct{ line, want string }{
		"no JSON":          {"id: two", "this is no JSON object"},
		"cut off":          {goodLine[:30], "the JSON ends too early"},
		"two on one":       {change() + goodLine, "text after the object"},
		"unknown field":    {change(`"truth"`, `"turth"`), `unknown field "turth"`},
		"unknown in truth": {change(`"line"`, `"lines"`), `unknown field "lines"`},
		"same id":          {goodLine, `id "one" is that of line 1`},
		"no id":            {change(`two`, ``), "id is missing"},
		"odd id":           {change(`two`, `\u001b[2J`), "id must be printable"},
		"long id":          {change(`two`, strings.Repeat("x", 201)), "id must be printable and at most 200 bytes long"},
		"odd language":     {change(`"id"`, `"language": "\u202e", "id"`), "language must be printable"},
		"difficulty":       {change(`"id"`, `"difficulty": "extreme", "id"`), `difficulty "extreme" is none of easy, medium, hard`},
		"no code":          {change(`"files"`, `"decoys": [], "files"`, `{"a.py": "x = 1\ny = 2\n"}`, `{}`), "files and tree are both missing"},
		"both":             {change(`"files"`, `"tree": "t", "files"`), "files and tree exclude each other"},
		"absolute path":    {change(`{"a.py"`, `{"/a.py"`), `files: "/a.py" is no relative path`},
		"path leads out":   {change(`{"a.py"`, `{"../a.py"`), `files: "../a.py" is no relative path`},
		"path not clean":   {change(`{"a.py"`, `{"b//a.py"`), `files: "b//a.py" is no relative path`},
		"path of Windows":  {change(`{"a.py"`, `{"b\\a.py"`), `is no relative path`},
		"path steers":      {change(`{"a.py"`, `{"\u001b.py"`), `is no relative path`},
		"no truth":         {change(goodTruth, `null`), "the truth is empty"},
		"truth's file":     {change(`"file": "a.py"`, `"file": "b.py"`), `truth, element 1: the codebase has no file "b.py"`},
		"truth's line":     {change(`"line": 1`, `"line": 3`), `truth, element 1: "a.py" has no line 3: it has 2`},
		"decoy's line":     {change(`"id"`, `"decoys": [{"file": "a.py", "line": 9, "category": "logic"}], "id"`), `decoys, element 1: "a.py" has no line 9`},
		"no tree":          {change(`"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "nope"`), `there is no directory "nope" beside the task file`},
		"tree is a file":   {change(`"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "tasks.jsonl"`), `tree "tasks.jsonl" is not a directory`},
		"tree leads out":   {change(`"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "../x"`), `tree "../x" leads out of the task file's directory`},
		"tree absolute":    {change(`"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "/etc"`), `tree "/etc" leads out of the task file's directory`},
		"tree by a link":   {change(`"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "link"`), `tree "link": `},
		"tree by links":    {change(`"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "inside/up/secret"`), `tree "inside/up/secret": `},
	} {
		t.Run(name, func(t *testing.T) {
			top := runtest.Tree(t, map[string]string{"work/tasks.jsonl": goodLine + "\n" + c.line + "\n", "secret/a.py": "x = 1\n",
				"work/inside/x": "x"})
			if err := errors.Join(os.Symlink(filepath.Join(top, "secret"), filepath.Join(top, "work/link")),
				os.Symlink("../..", filepath.Join(top, "work/inside/up"))); err != nil {
				t.Skip("no links here: ", err)
			}
			_, err := Open(context.Background(), filepath.Join(top, "work/tasks.jsonl"))
			var e *Error
			if !errors.As(err, &e) || e.Line != 2 || !strings.Contains(err.Error(), "tasks.jsonl:2: ") || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want an error about line 2 with %q", err, c.want)
			}
			if e.Hint() != linesHint {
				t.Errorf("hint %q", e.Hint())
			}
		})
	}
}

// TestTreeByLinkInside follows a link that stays in the directory.
func TestTreeByLinkInside(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"t.jsonl": strings.Replace(goodLine, `"files": {"a.py": "x = 1\ny = 2\n"}`, `"tree": "link"`,
		1), "real/a.py": "x = 1\n"})
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here: ", err)
	}
	s, err := Open(context.Background(), filepath.Join(dir, "t.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := s.Tasks[0].Codebase.Text("a.py"); text != "x = 1\n" {
		t.Errorf("text %q", text)
	}
}

func TestEachLineRefusesEndless(t *testing.T) {
	err := EachLine(strings.NewReader(goodLine+"\n"+strings.Repeat("x", maxLine+1)), "big.jsonl", "", func(int, []byte) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "big.jsonl:2: the line is longer than 64 MiB") {
		t.Error(err)
	}
}

// FuzzLines reads any text as tasks: whatever is accepted is whole.
func FuzzLines(f *testing.F) {
	f.Add([]byte(goodLine))
	f.Add([]byte(goodLine + "\n" + strings.Replace(goodLine, "one", "two", 1)))
	f.Add([]byte(`{"id": "a", "tree": "t", "truth": [], "decoys": null}`))
	f.Add([]byte(`{"id":"a","files":{"a":"\ud800"},"truth":[{"file":"a","line":1,"end_line":1,"category":"logic","severity":"low"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tasks, err := readLines(strings.NewReader(string(data)), "t.jsonl", func(string) (*codebase.Codebase, error) {
			return nil, errors.New("no trees here")
		})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		whole(t, tasks)
	})
}

// whole holds a set's promise against tasks.
func whole(t *testing.T, tasks []env.Task) {
	t.Helper()
	ids := map[string]bool{}
	for _, task := range tasks {
		if task.ID == "" || ids[task.ID] || len(task.Defects) == 0 {
			t.Fatalf("task %q, again or without truth", task.ID)
		}
		ids[task.ID] = true
		for _, d := range task.Defects {
			text, ok := task.Codebase.Text(d.File)
			lines := strings.Count(text, "\n")
			if !strings.HasSuffix(text, "\n") && text != "" {
				lines++
			}
			if !ok || d.Line < 1 || d.EndLine < d.Line || d.EndLine > lines {
				t.Fatalf("defect %+v in a file of %d lines (%v)", d, lines, ok)
			}
		}
		for _, p := range task.Codebase.Paths() {
			if !filepath.IsLocal(p) {
				t.Fatalf("path %q", p)
			}
		}
	}
}

// FuzzTruth reads any text as a truth: what is accepted is what encoding/json makes of it, and lines are in the text.
func FuzzTruth(f *testing.F) {
	for _, s := range []string{truthText, "[]", "[{},\n\n{}]", "[null]", "[{\"file\": 1}]", "[1", "{", "[{}]x", " \n[\n{\n}\n]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, line, err := decodeList[env.Defect](data)
		most := 1 + strings.Count(string(data), "\n")
		if err != nil {
			if line < 0 || line > most {
				t.Fatalf("line %d of %d: %v", line, most, err)
			}
			return
		}
		var want []env.Defect
		if err := json.Unmarshal(data, &want); err != nil || len(want) != len(list) {
			t.Fatalf("%d elements, want %d (%v)", len(list), len(want), err)
		}
		last := 1
		for i, e := range list {
			if e.value != want[i] || e.line < last || e.line > most {
				t.Fatalf("element %d at line %d: %+v, want %+v", i, e.line, e.value, want[i])
			}
			last = e.line
		}
	})
}

package orchestrationv1_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/google/go-cmp/cmp"
)

const oneTask = `[
  {
    "name": "one",
    "codebase": {"z.py": "def z(): pass\n", "a.py": "A = 1\n"},
    "file_tree": "one/\n  z.py\n  a.py",
    "metadata": {
      "total_files": 2, "total_chars": 1234567, "file_types": {".py": 2, ".a": 0},
      "largest_files": [["z.py", 1000]], "entry_points": ["z.py"]
    },
    "ground_truth_findings": ["z does nothing"],
    "llm_cache": {"6a2b3c": "unused"}
  }
]`

func TestLoad(t *testing.T) {
	tasks, err := orchestrationv1.Load(strings.NewReader(oneTask))
	if err != nil {
		t.Fatal(err)
	}
	p := cellsOf("print(list(codebase), list(metadata))", "print(llm_query('z.py a.py'))", "set_answer('x')")
	out, _ := play(t, tasks[0], p)
	want := "Review this codebase and hand in a full development report.\n\n## The repository\nName: one\nFiles: 2\nCharacters: " +
		"1,234,567\n\n" +
		"Files by type:\n  .py: 2\n  .a: 0\n\nThe largest files:\n  z.py: 1,000 characters\n\nEntry points:\n  z.py\n\n## Its files\none/\n " +
		" z.py\n  a.py\n\n" +
		"## What to do\nThe texts are in the variable `codebase` (a dict of path to text). " +
		"Work in the REPL, hand the files to sub-LLM workers, and call set_answer() with your report."
	if diff := cmp.Diff(want, out.Prompt[1].Content); diff != "" {
		t.Error(diff)
	}
	// The order of the file's keys decides which file a worker speaks of.
	if told := p.Told(); !strings.Contains(told[0],
		"['z.py', 'a.py'] ['total_files', 'total_chars', 'file_types', 'largest_files', 'entry_points']") ||
		!strings.Contains(told[1], "Analysis of z.py") {
		t.Errorf("told %q", told)
	}
	if !near(out.Reward, 0.7) || len(tasks[0].Defects) != 1 || tasks[0].Defects[0].Description != "z does nothing" {
		t.Errorf("reward %v, defects %+v", out.Reward, tasks[0].Defects)
	}
}

func TestCachedReplies(t *testing.T) {
	// The key is the first 16 hex digits of sha256("hello").
	with := strings.Replace(oneTask, `"6a2b3c": "unused"`, `"2cf24dba5fb0a30e": "from the cache"`, 1)
	tasks, err := orchestrationv1.Load(strings.NewReader(with))
	if err != nil {
		t.Fatal(err)
	}
	p := cellsOf("print(llm_batch(['hello', 'hello ']))", "set_answer('x')")
	play(t, tasks[0], p)
	if want := "Output of the REPL:\n```\n['from the cache', 'Analysis complete. "; !strings.HasPrefix(p.Told()[0], want) {
		t.Errorf("told %q", p.Told()[0])
	}
}

func TestMalformedTaskFiles(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"empty":                 {oneTask, "", "line 1: not a JSON list"},
		"an object":             {oneTask, "{}", "line 1: not a JSON list"},
		"no tasks":              {oneTask, "[]", "the task file holds no task"},
		"cut off":               {"\n]", "", "line 12: the list does not end"},
		"cut off in a task":     {`"unused"}`, ``, "line 11, task 1: invalid character"},
		"no comma":              {`"name": "one",`, `"name": "one"`, "line 4, task 1: invalid character"},
		"not an object":         {oneTask, "[\n3]", "line 2, task 1: a number instead of an object"},
		"no name":               {`"name": "one",`, "", "line 2, task 1: name is missing"},
		"a name of wrong type":  {`"name": "one"`, `"name": 7`, "line 3, task 1: name is a number instead of a string"},
		"no codebase":           {`"codebase": {"z.py": "def z(): pass\n", "a.py": "A = 1\n"},`, "", `line 2, task "one": codebase is not an object of texts by path`},
		"an empty codebase":     {`{"z.py": "def z(): pass\n", "a.py": "A = 1\n"}`, "{}", `line 4, task "one": codebase is missing or empty`},
		"a file of wrong type":  {`"A = 1\n"`, "1", `line 4, task "one": codebase is not an object of texts by path`},
		"no tree":               {`"file_tree": "one/\n  z.py\n  a.py",`, "", `line 2, task "one": file_tree is missing`},
		"no metadata":           {`"metadata"`, `"meta"`, `line 2, task "one": metadata is missing`},
		"no total":              {`"total_files": 2, `, "", `line 6, task "one": metadata: total_files is missing`},
		"a total of wrong type": {`"total_files": 2`, `"total_files": "two"`, `line 6, task "one": metadata: `},
		"types of wrong type":   {`{".py": 2, ".a": 0}`, `[1]`, `line 6, task "one": metadata: file_types is not an object`},
		"sizes of wrong type":   {`["z.py", 1000]`, `["z.py", "big"]`, `line 6, task "one": metadata: largest_files does not hold pairs`},
		"findings":              {`["z does nothing"]`, `["z", 4]`, `line 10, task "one": ground_truth_findings is a number instead of a string`},
		"the same name twice":   {"\n]", ",\n" + strings.TrimPrefix(oneTask, "[\n"), `line 13, task "one": a second task of this name`},
	} {
		text := strings.Replace(oneTask, c.old, c.new, 1)
		if text == oneTask {
			t.Fatalf("%s: nothing was changed", name)
		}
		_, err := orchestrationv1.Load(strings.NewReader(text))
		if known := (*orchestrationv1.TaskError)(nil); !errors.As(err, &known) || !strings.HasPrefix(err.Error(), c.want) || known.Hint() == "" {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(oneTask))
	f.Add([]byte(`[{"name":"a","codebase":{"":""},"file_tree":"","metadata":{"total_files":-1e3,"total_chars":-12345.5}}]`))
	f.Add([]byte("[{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tasks, err := orchestrationv1.Load(strings.NewReader(string(data)))
		if err == nil && len(tasks) == 0 {
			t.Error("neither tasks nor an error")
		}
		if known := (*orchestrationv1.TaskError)(nil); err != nil && !errors.As(err, &known) {
			t.Errorf("error %v", err)
		}
	})
}

func TestTasksOfAnyCodebase(t *testing.T) {
	task, err := orchestrationv1.NewTask("mine", map[string]string{
		"b/c/x.go": "package c\n", "b/y.go": "package b\n\nfunc Y() {}\n", "a.txt": "é\n", "Makefile": "all:\n",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := cellsOf("print(file_tree)\nprint(json.dumps(metadata))", "set_answer('x')")
	out, _ := play(t, task, p)
	want := "Output of the REPL:\n```\nmine/\n  Makefile\n  a.txt\n  b/\n    c/\n      x.go\n    y.go\n" +
		`{"repo_name": "mine", "total_files": 4, "total_chars": 40, "total_lines": 6, "file_types": {"": 1, ".go": 2, ".txt": 1}, ` +
		`"largest_files": [["b/y.go", 23], ["b/c/x.go", 10], ["Makefile", 5], ["a.txt", 2]], "entry_points": []}` + "\n\n```"
	if diff := cmp.Diff(want, p.Told()[0]); diff != "" {
		t.Error(diff)
	}
	if !near(out.Reward, 0.2+0.3*0.5) { // without truths recall is half
		t.Errorf("reward %v", out.Reward)
	}
	if _, err := orchestrationv1.NewTask("none", nil, nil); err == nil || err.Error() != `task "none": codebase is missing or empty` {
		t.Errorf("error %v", err)
	}
}

func TestFrom(t *testing.T) {
	given := env.Task{
		ID: "grown-1", Split: env.Heldout, Language: "go", Codebase: codebase.FromMap(map[string]string{"a.go": "package a\n"}),
		Defects: []env.Defect{{File: "a.go", Line: 1, Description: "the package does nothing"}},
	}
	task, err := orchestrationv1.From(given)
	if err != nil {
		t.Fatal(err)
	}
	if task.Split != env.Heldout || task.Defects[0].File != "a.go" || task.Codebase != given.Codebase {
		t.Errorf("task %+v", task)
	}
	out, _ := play(t, task, cellsOf("llm_query('a.go')\nset_answer('- the package does nothing at all')"))
	if !near(out.Reward, 1) {
		t.Errorf("reward %v", out.Reward)
	}
}

// TestShuffle compares with CPython 3.11.7: x = list(range(n)); random.Random(seed).shuffle(x).
func TestShuffle(t *testing.T) {
	for _, c := range []struct {
		seed int64
		want string
	}{
		{42, "[1,0,2]"},
		{42, "[3,1,2,4,0]"},
		{42, "[7,3,2,8,5,6,9,4,0,1]"},
		{7, "[8,3,1,4,7,0,9,6,2,5]"},
		{-5, "[1,0,3,5,2,4]"},
		{1<<40 + 3, "[5,1,7,2,6,4,0,3]"},
		{42, "[0]"},
		{42, "[]"},
	} {
		var want []int
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		got := make([]int, len(want))
		for i := range got {
			got[i] = i
		}
		orchestrationv1.Shuffle(c.seed, len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d: %s", c.seed, diff)
		}
	}
	big := make([]int, 700) // more numbers than the generator makes at once
	for i := range big {
		big[i] = i
	}
	orchestrationv1.Shuffle(0, len(big), func(i, j int) { big[i], big[j] = big[j], big[i] })
	if diff := cmp.Diff([]int{160, 320, 88, 182, 41, 430, 394}, append(big[:4:4], big[697:]...)); diff != "" {
		t.Error(diff)
	}
}

func TestSelection(t *testing.T) {
	var tasks []env.Task
	for _, name := range []string{"a", "b", "c", "d"} {
		task, err := orchestrationv1.NewTask(name, map[string]string{"x": "y"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if task.Language = "go"; name == "b" {
			task.Language = "java"
		}
		tasks = append(tasks, task)
	}
	e := orchestrationv1.New(tasks)
	order := func(s env.Selection) string {
		var ids string
		for i := range e.Size(s) {
			task, err := e.Task(context.Background(), s, i)
			if err != nil {
				t.Fatal(err)
			}
			ids += task.ID
		}
		return ids
	}
	for _, c := range []struct {
		s    env.Selection
		want string
	}{
		{env.Selection{}, order(env.Selection{Seed: 42})},
		{env.Selection{Language: "go"}, "cad"}, // [1,0,2] of a, c, d
		{env.Selection{Language: "java", Seed: 3}, "b"},
		{env.Selection{Split: env.Heldout}, ""},
	} {
		if got := order(c.s); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
	if _, err := e.Task(context.Background(), env.Selection{}, 4); err == nil {
		t.Error("a fifth task")
	}
	about := e.About()
	if about.RewardName != "delegation_reward" || about.MaxTurns != 20 || len(about.Parts) != 3 || e.Name() != "orchestration-v1" {
		t.Errorf("about %+v", about)
	}
	out, _ := play(t, small(t), cellsOf("set_answer('x')"))
	for _, name := range about.Metrics {
		if _, ok := out.Metrics[name]; !ok {
			t.Errorf("no metric %s", name)
		}
	}
	if len(out.Metrics) != len(about.Metrics) {
		t.Errorf("metrics %v", out.Metrics)
	}
}

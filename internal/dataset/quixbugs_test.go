package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// bugsDir writes a directory in QuixBugs's form. Three programs of our own: one that returns, one that yields, one of
// a graph.
func bugsDir(t *testing.T, change func(files map[string]string)) string {
	t.Helper()
	rows := []any{
		map[string]any{
			"name": "total", "json_testcases": true, "driver": nil, "correct": "\ndef total(xs):\n    return sum(xs)\n\n\"\"\"\ndef total(xs): another way\n\"\"\"\n",
			"buggy": "\ndef total(xs):\n    return sum(xs[1:])\n\n\n\"\"\"\nTotal\n\nInput:\n    xs: A list\n\"\"\"\n",
		},
		map[string]any{
			"name": "firsts", "json_testcases": true, "driver": nil, "correct": "def firsts(xs, n):\n    for x in xs[:n]:\n        yield x, x\n",
			"buggy": "def firsts(xs, n):\n    for x in xs[1:n]:\n        yield x, x\n\"\"\"Firsts\"\"\"\n",
		},
		map[string]any{
			"name": "ends", "json_testcases": false,
			"correct": "def ends(node):\n    seen = set()\n    while node and node not in seen:\n        seen.add(node)\n        node = node.successor\n    return {n.value for n in seen} if node is None else node\n",
			"buggy":   "def ends(node):\n    seen = set()\n    while node and node not in seen:\n        node = node.successor\n        seen.add(node)\n    return {n.value for n in seen if n} if node is None else node\n\"\"\"Ends\"\"\"\n",
			"driver":  "from .node import Node\nfrom .ends import ends\n\n\"\"\"\nDriver\n\"\"\"\ndef main():\n    a = Node(1)\n    b = Node(2, a)\n    print(ends(b))\n    a.successor = b\n    print(ends(a) is a)\n\nif __name__ == \"__main__\":\n    main()\n",
		},
	}
	var lines []string
	for _, r := range rows {
		lines = append(lines, jsonOf(t, r))
	}
	files := map[string]string{
		"programs.jsonl":             strings.Join(lines, "\n"),
		"support.json":               jsonOf(t, map[string]string{"node.py": "class Node:\n    def __init__(self, value=None, successor=None):\n        self.value = value\n        self.successor = successor\n"}),
		"json_testcases/total.json":  "[[[1, 2]], 3]\n[[[]], 0]\n",
		"json_testcases/firsts.json": "[[[1, 2], 1], [[1, 1]]]\n\n",
	}
	if change != nil {
		change(files)
	}
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestQuixBugs(t *testing.T) {
	s, err := Open(t.Context(), "quixbugs", Options{Data: bugsDir(t, nil), Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Tasks) != 3 {
		t.Fatalf("%d tasks", len(s.Tasks))
	}
	want := Task{
		ID: "QuixBugs/total", Text: "Total\n\nInput:\n    xs: A list", Entry: "total", Signature: "def total(xs):",
		Canonical: s.Tasks[0].Canonical, Rejects: s.Tasks[0].Rejects, Judge: quixJudge,
		Tests: []Test{
			{Name: "case 1", Code: "assert _same(total([1, 2]), 3)\n", Shown: "assert total([1, 2]) == 3"},
			{Name: "case 2", Code: "assert _same(total([]), 0)\n", Shown: "assert total([]) == 0"},
		},
	}
	if diff := cmp.Diff(want, s.Tasks[0], cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	for _, task := range s.Tasks {
		verdicts(t, task, map[string]sandbox.Verdict{task.Canonical: sandbox.Passed, task.Rejects[0]: sandbox.Failed})
	}
	verdicts(t, s.Tasks[1], map[string]sandbox.Verdict{
		"def firsts(xs, n):\n    return [[x, x] for x in xs[:n]]": sandbox.Passed,
		"def firsts(xs, n):\n    return ()":                       sandbox.Failed,
		"def firsts(xs, n):\n    return 1":                        sandbox.Failed,
	})
	verdicts(t, s.Tasks[2], map[string]sandbox.Verdict{
		// What it prints itself is not what the driver prints.
		"def ends(node):\n    print('{1, 2}')\n    print(True)\n":                             sandbox.Failed,
		"class Node: pass\ndef ends(node):\n    return {1, 2} if node.value == 2 else node\n": sandbox.Passed,
	})
	again, err := Open(t.Context(), "quixbugs", Options{Data: bugsDir(t, nil), Parser: runtest.OpenParser})
	if err != nil || again.Info.Hash != s.Info.Hash {
		t.Errorf("the same files, another hash: %v", err)
	}
	again, err = Open(t.Context(), "quixbugs", Options{Data: bugsDir(t,
		func(f map[string]string) { f["json_testcases/total.json"] += "\n" }), Parser: runtest.OpenParser})
	if err != nil || again.Info.Hash == s.Info.Hash {
		t.Errorf("other files, the same hash: %v", err)
	}
}

// TestQuixTolerance: sqrt is right when it is as near as its last argument says.
func TestQuixTolerance(t *testing.T) {
	dir := bugsDir(t, func(f map[string]string) {
		f["programs.jsonl"] = jsonOf(t, map[string]any{"name": "sqrt", "json_testcases": true, "buggy": "def sqrt(x, e): return x",
			"correct": "def sqrt(x, e): return x ** .5"})
		f["json_testcases/sqrt.json"] = "[[4, 0.1], 2.05]\n"
	})
	s, err := Open(t.Context(), "quixbugs", Options{Data: dir, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	verdicts(t, s.Tasks[0], map[string]sandbox.Verdict{s.Tasks[0].Canonical: sandbox.Passed, "def sqrt(x, e): return 2.2": sandbox.Failed,
		"def sqrt(x, e): return None": sandbox.Failed})
}

func TestQuixBugsRefusals(t *testing.T) {
	for want, change := range map[string]func(map[string]string){
		"programs.jsonl":                          func(f map[string]string) { delete(f, "programs.jsonl") },
		"support.json: broken":                    func(f map[string]string) { f["support.json"] = "[" },
		"json_testcases/total.json: no such file": func(f map[string]string) { delete(f, "json_testcases/total.json") },
		"total.json: line 2: broken":              func(f map[string]string) { f["json_testcases/total.json"] = "[[1], 1]\n[[1]," },
		"total.json: line 1: want a list":         func(f map[string]string) { f["json_testcases/total.json"] = "[[1], 1, 2]" },
		"total.json holds no tests":               func(f map[string]string) { f["json_testcases/total.json"] = "\n" },
		"where the name of a function": func(f map[string]string) {
			f["programs.jsonl"] = strings.ReplaceAll(f["programs.jsonl"], `"total"`, `"../total"`)
		},
		`does not define the function "sum"`: func(f map[string]string) {
			f["programs.jsonl"] = strings.ReplaceAll(f["programs.jsonl"], `"total"`, `"sum"`)
		},
		`field "driver" is missing`: func(f map[string]string) {
			f["programs.jsonl"] = strings.ReplaceAll(f["programs.jsonl"], `"driver":"from`, `"x":"from`)
		},
		`field "driver" does not define`: func(f map[string]string) {
			f["programs.jsonl"] = strings.ReplaceAll(f["programs.jsonl"], `def main`, `def mine`)
		},
		"correct or buggy": func(f map[string]string) { f["programs.jsonl"] = `{"name": "a", "correct": "def a(): pass"}` },
	} {
		_, err := Open(t.Context(), "quixbugs", Options{Data: bugsDir(t, change), Parser: runtest.OpenParser})
		wantError(t, err, want)
	}
	_, err := Open(t.Context(), "quixbugs", Options{Data: file(t, "programs.jsonl", "{}"), Parser: runtest.OpenParser})
	wantError(t, err, "a directory")
}

func FuzzQuixBugs(f *testing.F) {
	f.Add(`{"name": "f", "json_testcases": true, "correct": "def f(x): pass", "buggy": "def f(x): pass"}`, "[[1], 2]\n[3, \"x\"]")
	f.Add(`{"name": "f", "correct": "def f(x): pass", "buggy": "x", "driver": "import x\ndef main(): f(1)"}`, "")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, programs, cases string) {
		for name, text := range map[string]string{"programs.jsonl": programs, "json_testcases/f.json": cases} {
			if err := os.MkdirAll(filepath.Join(dir, "json_testcases"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Open(t.Context(), "quixbugs", Options{Data: dir, MaxBytes: 1 << 20, Parser: runtest.OpenParser})
		if err == nil && len(s.Tasks[0].Tests) == 0 {
			t.Error("a task without tests")
		}
	})
}

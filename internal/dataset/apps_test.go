package dataset

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// appsFunction is a row of a problem that wants a method.
func appsFunction(id int) map[string]any {
	return map[string]any{
		"problem_id": id, "question": "Add all.", "difficulty": "interview", "url": "https://example.org/1",
		"solutions":    encoded([]string{"class Solution:\n    def addAll(self, xs, k):\n        return sum(xs) + k\n"}),
		"input_output": encoded(map[string]any{"fn_name": "addAll", "inputs": []any{[]any{[]int{1, 2}, 3}, []any{[]int{}, 0}}, "outputs": []any{[]any{6}, 0}}),
		"starter_code": "\nclass Solution:\n    def addAll(self, xs: List[int], k: int) -> int:\n        ",
	}
}

func appsProgram(id int) map[string]any {
	return map[string]any{
		"problem_id": id, "question": "Add two.", "solutions": `["print(sum(map(int, input().split())))"]`, "starter_code": "",
		"input_output": `{"inputs": ["1 2\n", ["3", "4"]], "outputs": ["3\n", ["3"]]}`, "difficulty": "introductory", "url": "u",
	}
}

func TestAPPS(t *testing.T) {
	s, err := Open(t.Context(), "apps", Options{Data: file(t, "test.jsonl",
		jsonOf(t, appsFunction(7))+"\n"+jsonOf(t, appsProgram(8))+"\n"+jsonOf(t, map[string]any{
			"problem_id": 9, "question": "No tests.", "solutions": "", "input_output": "", "starter_code": "",
		})), Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	want := []Task{
		{
			ID: "APPS/test/7", Split: "test", Text: "Add all.\n\nStarter code:\n\nclass Solution:\n    def addAll(self, xs: List[int], k: int) -> int:\n",
			Entry: "addAll", Signature: "def addAll(self, xs: List[int], k: int) -> int:", Bridge: solutionBridge("addAll"), Judge: sameJudge,
			Tests: []Test{
				{Name: "call 1", Code: "assert _same(addAll([1, 2], 3), [6], wrapped=True)\n", Shown: "assert addAll([1, 2], 3) == [6]"},
				{Name: "call 2", Code: "assert _same(addAll([], 0), 0, wrapped=True)\n", Shown: "assert addAll([], 0) == 0"},
			},
			Canonical: "class Solution:\n    def addAll(self, xs, k):\n        return sum(xs) + k\n", Difficulty: "interview", Source: "https://example.org/1",
		},
		{
			ID: "APPS/test/8", Split: "test", Text: "Add two.", Cases: []sandbox.Case{{Stdin: "1 2\n", Stdout: "3\n"}, {Stdin: "3\n4", Stdout: "3"}},
			Canonical: "print(sum(map(int, input().split())))", Difficulty: "introductory", Source: "u",
		},
	}
	if diff := cmp.Diff(want, s.Tasks, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"APPS/test/9": "it has no tests"}, s.Info.Skipped); diff != "" {
		t.Error(diff)
	}
	verdicts(t, s.Tasks[0], map[string]sandbox.Verdict{
		s.Tasks[0].Canonical:                                              sandbox.Passed,
		"def addAll(xs, k):\n    return (sum(xs) + k,)":                   sandbox.Failed, // [6] is right and so is 6, but 0 is not [0]
		"def addAll(xs, k):\n    return sum(xs) + k":                      sandbox.Passed,
		"class Solution:\n    def addAll(self, xs, k):\n        return 6": sandbox.Failed,
		"class Solution:\n    def add(self, xs, k):\n        return 6":    sandbox.NoEntryPoint,
		"Solution = 3": sandbox.NoEntryPoint,
		"":             sandbox.Empty,
		"class Solution:\n    def addAll(self, xs, k)\n        return 6": sandbox.SyntaxError,
	})
	verdicts(t, s.Tasks[1], map[string]sandbox.Verdict{
		s.Tasks[1].Canonical: sandbox.Passed, "print(3)": sandbox.Passed, "print(input())": sandbox.Failed, "print(7)": sandbox.Failed,
	})
}

// TestSame: JSON has neither tuples nor keys that are numbers.
func TestSame(t *testing.T) {
	row := appsFunction(1)
	row["input_output"] = `{"fn_name": "f", "inputs": [[{"1": 2}], ["a"]], "outputs": [{"1": [2, [3]]}, [["x"]]]}`
	task := one(t, "apps", row)
	verdicts(t, task, map[string]sandbox.Verdict{
		"def f(x):\n    return {1: (2, (3,))} if x != 'a' else ['x']":      sandbox.Passed,
		"def f(x):\n    return {'1': [2, [3]]} if x != 'a' else (('x',),)": sandbox.Passed,
		"def f(x):\n    return {1: (2, 3)} if x != 'a' else ['x']":         sandbox.Failed,
		"def f(x):\n    return {1: (2, (3,))}":                             sandbox.Failed,
	})
}

func appsDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, "APPS", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "APPS")
}

func TestAPPSDirectory(t *testing.T) {
	row := appsFunction(0)
	problem := func(dir string) map[string]string {
		return map[string]string{
			dir + "/question.txt": row["question"].(string), dir + "/solutions.json": row["solutions"].(string), dir + "/input_output.json": row["input_output"].(string),
			dir + "/metadata.json": `{"difficulty": "interview", "url": "https://example.org/1"}`, dir + "/starter_code.py": row["starter_code"].(string),
		}
	}
	files := problem("train/0003")
	for name, text := range problem("test/0003") {
		files[name] = text
	}
	files["test/0004/question.txt"] = "No tests."
	files["README"] = "not a problem"
	dir := appsDir(t, files)
	s, err := Open(t.Context(), "apps", Options{Data: dir, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Tasks) != 2 || s.Tasks[0].ID != "APPS/test/3" || s.Tasks[1].ID != "APPS/train/3" || s.Tasks[1].Split != "train" ||
		s.Info.Skipped["APPS/test/4"] == "" {
		t.Errorf("%v, skipped %v", s.Tasks, s.Info.Skipped)
	}
	asRow := one(t, "apps", appsFunction(3))
	asRow.ID, asRow.Split = "APPS/test/3", "test"
	if diff := cmp.Diff(asRow, s.Tasks[0]); diff != "" {
		t.Error(diff)
	}
	// One split's directory, one problem's directory; the hash is of what was read.
	part, err := Open(t.Context(), "apps", Options{Data: filepath.Join(dir, "train"), Parser: runtest.OpenParser})
	if err != nil || len(part.Tasks) != 1 || part.Tasks[0].ID != "APPS/train/3" || part.Info.Hash == s.Info.Hash {
		t.Errorf("%+v, %v", part, err)
	}
	again, err := Open(t.Context(), "apps", Options{Data: dir, Parser: runtest.OpenParser})
	if err != nil || again.Info.Hash != s.Info.Hash {
		t.Errorf("the hash changed: %v", err)
	}
	if got, ok := s.Find("train/3"); !ok || got.ID != "APPS/train/3" {
		t.Errorf("Find: %v", got.ID)
	}
}

func TestAPPSRefusals(t *testing.T) {
	for want, change := range map[string]func(map[string]any){
		`"question" is missing`:     func(r map[string]any) { r["question"] = "" },
		`field "solutions": broken`: func(r map[string]any) { r["solutions"] = "[" },
		`field "input_output"`:      func(r map[string]any) { r["input_output"] = "{" },
		"1 inputs and 0 outputs":    func(r map[string]any) { r["input_output"] = `{"inputs": ["a"], "outputs": []}` },
		"case 1 is neither text":    func(r map[string]any) { r["input_output"] = `{"inputs": [{}], "outputs": ["a"]}` },
		"input 1 is not a list":     func(r map[string]any) { r["input_output"] = `{"inputs": ["a"], "outputs": ["a"], "fn_name": "f"}` },
		"is not the name": func(r map[string]any) {
			r["input_output"] = `{"inputs": [["a"]], "outputs": ["a"], "fn_name": "f():\nimport os\ndef g"}`
		},
	} {
		row := appsFunction(1)
		change(row)
		_, err := open(t, "apps", row)
		wantError(t, err, "line 1", want)
	}
	for want, files := range map[string]map[string]string{
		"no question.txt":                  {"x": ""},
		"test/seven: the directory's name": {"test/seven/question.txt": "q"},
		"test/7: field \"question\"":       {"test/7/question.txt": ""},
		"metadata.json":                    {"test/7/question.txt": "q", "test/7/metadata.json": "["},
		"was there already":                {"test/7/question.txt": "q", "test/07/question.txt": "q"},
	} {
		_, err := Open(t.Context(), "apps", Options{Data: appsDir(t, files), Parser: runtest.OpenParser})
		wantError(t, err, want)
	}
	dir := appsDir(t, map[string]string{"test/7/question.txt": "q", "test/7/solutions.json": "[]"})
	secret := file(t, "secret", `{"inputs": ["a"], "outputs": ["b"]}`)
	if err := os.Symlink(secret, filepath.Join(dir, "test", "7", "input_output.json")); err != nil {
		t.Skip("no symbolic links here")
	}
	_, err := Open(t.Context(), "apps", Options{Data: dir, Parser: runtest.OpenParser})
	wantError(t, err, "input_output.json")
	if strings.Contains(err.Error(), "inputs") {
		t.Error("a link out of the directory was read")
	}
}

func FuzzAPPS(f *testing.F) {
	fuzz(f, apps{}, appsFunction(1), appsProgram(2),
		`{"problem_id": 1, "question": "q", "input_output": "{\"inputs\": [[1]], \"outputs\": [1], \"fn_name\": \"f\"}"}`)
}

// encoded returns v as JSON.
func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

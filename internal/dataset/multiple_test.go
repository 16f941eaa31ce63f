package dataset

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

const multiplRows = `{"name": "HumanEval_0_add", "language": "cpp", "prompt": "long add(long a, long b) {\n", "tests": "}\nint main() {}\n"}
{"name": "HumanEval_1_twice", "language": "rs", "prompt": "fn twice(a: isize) -> isize {\n", "tests": "}\nfn main() {}\n"}
{"name": "HumanEval_2_add", "language": "go_test.go", "prompt": "package add_test\n", "tests": "}\nfunc TestAdd(t *testing.T) {}\n"}
{"name": "HumanEval_3_add", "language": "lua", "prompt": "function add()", "tests": "end"}
`

// TestMultiplE reads programs with their tests behind them, in the languages that can be judged.
func TestMultiplE(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	runtest.WriteFile(t, path, multiplRows)
	for language, want := range map[string]string{
		"": "cpp rust go_test", "cpp": "cpp", "rust": "rust", "go": "go_test", "go_test": "go_test",
	} {
		s, err := Open(t.Context(), "multipl-e", Options{Data: path, Language: language, Parser: runtest.OpenParser})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, task := range s.Tasks {
			got = append(got, task.Language)
		}
		if strings.Join(got, " ") != want || s.Language() != got[0] || s.Info.Skipped["HumanEval_3_add"] == "" {
			t.Errorf("%q: %v, without %v", language, got, s.Info.Skipped)
		}
	}
	s, err := Open(t.Context(), "multipl-e", Options{Data: path, Language: "cpp", Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	task := s.Tasks[0]
	p := task.Program(task.Whole("  return a + b;"))
	if want := "long add(long a, long b) {\n  return a + b;\n\n}\nint main() {}\n"; p.Code != want || p.Language != "cpp" ||
		p.Entry != "" || len(p.Tests)+len(p.Cases) > 0 {
		t.Errorf("%q %+v", p.Code, p)
	}
	if _, err := Open(t.Context(), "multipl-e", Options{Data: path, Language: "java", Parser: runtest.OpenParser}); err == nil ||
		!strings.Contains(err.Error(), "no task in it can be judged in java") {
		t.Error(err)
	}
	runtest.WriteFile(t, path, `{"name": "a", "language": "cpp", "prompt": "x"}`)
	if _, err := Open(t.Context(), "multipl-e", Options{Data: path, Parser: runtest.OpenParser}); err == nil ||
		!strings.Contains(err.Error(), `"tests"`) {
		t.Error(err)
	}
}

// TestAnyLanguage has tasks that read standard input done in any language, with the references that there are in it.
func TestAnyLanguage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "codecontests_test.jsonl")
	runtest.WriteFile(t, path, `{"name": "1_A", "description": "Add.", "public_tests": {"input": ["1 2\n"], "output": ["3\n"]}, `+
		`"solutions": {"language": [3, 2, 2], "solution": ["print(3)", "int main() {}", "int x;"]}, `+
		`"incorrect_solutions": {"language": ["CPP", "JAVA", "PYTHON3"], "solution": ["bad", "worse", "print(4)"]}}`)
	for language, want := range map[string][2]string{
		"": {"print(3)", "print(4)"}, "cpp": {"int main() {}", "bad"}, "java": {"", "worse"}, "rust": {"", ""},
	} {
		s, err := Open(t.Context(), "codecontests", Options{Data: path, Language: language, Parser: runtest.OpenParser})
		if err != nil {
			t.Fatal(err)
		}
		task := s.Tasks[0]
		if task.Language != language || task.Canonical != want[0] || strings.Join(task.Rejects, "") != want[1] ||
			task.Program("x").Language != language {
			t.Errorf("%s: %+v", language, task)
		}
	}
	path = filepath.Join(t.TempDir(), "test.jsonl")
	live := `{"question_id": "%s", "question_content": "Add.", "contest_date": "2024-01-01", ` +
		`"starter_code": "class Solution:\n    def f(self, x):\n        pass\n", "metadata": "{\"func_name\": \"f\"}", ` +
		`"private_test_cases": "[]", "public_test_cases": "[{\"input\": \"1\", \"output\": \"1\", \"testtype\": \"%s\"}]"}` + "\n"
	runtest.WriteFile(t, path, strings.Replace(strings.Replace(live, "%s", "a", 1), "%s", "stdin", 1)+
		strings.Replace(strings.Replace(live, "%s", "b", 1), "%s", "functional", 1))
	s, err := Open(t.Context(), "livecodebench", Options{Data: path, Language: "shell", Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Tasks) != 1 || s.Tasks[0].ID != "a" || s.Language() != "shell" || s.Info.Skipped["b"] == "" {
		t.Errorf("%+v", s)
	}
}

package dataset

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// contestLists is a row as its columns are published: objects of lists, numbers for names.
const contestLists = `{"name": "1_A. Sum", "description": "Add two.\r\n", "public_tests": {"input": ["1 2\n"], "output": ["3\n"]},
"private_tests": {"input": ["2 2\n"], "output": ["4\n"]}, "generated_tests": {"input": ["0 0\n", "5 5\n"], "output": ["0\n", "10\n"]},
"source": 2, "difficulty": 7, "solutions": {"language": [2, 1, 3, 3], ` +
	`"solution": ["int main(){}", "print input()", "a, b = map(int, input().split())\r\nprint(a + b)", "other"]},
"incorrect_solutions": {"language": [3, 4], "solution": ["print(3)", "class A {}"]}, "cf_contest_id": 1, "cf_tags": ["math"], ` +
	`"time_limit": {"seconds": 2, "nanos": 0},
"memory_limit_bytes": 256000000, "input_file": "", "output_file": ""}`

// contestObjects is the same as protocol buffers are written as JSON.
const contestObjects = `{"name": "1_A. Sum", "description": "Add two.\n", "public_tests": [{"input": "1 2\n", "output": "3\n"}],
"private_tests": [{"input": "2 2\n", "output": "4\n"}], "generated_tests": [{"input": "0 0\n", "output": "0\n"}, ` +
	`{"input": "5 5\n", "output": "10\n"}],
"source": "CODEFORCES", "difficulty": 7, "solutions": [{"language": "CPP", "solution": "int main(){}"}, ` +
	`{"language": "PYTHON", "solution": "print input()"},
{"language": "PYTHON3", "solution": "a, b = map(int, input().split())\nprint(a + b)"}], ` +
	`"incorrect_solutions": [{"language": 3, "solution": "print(3)"}, {"language": "JAVA", "solution": "class A {}"}]}`

func TestCodeContests(t *testing.T) {
	want := Task{
		ID: "1_A. Sum", Text: "Add two.\n", Source: "Codeforces", Difficulty: "A", Canonical: "a, b = map(int, input().split())\nprint(a + b)",
		Rejects:     []string{"print(3)"},
		PublicCases: 1, Cases: []sandbox.Case{{Stdin: "1 2\n", Stdout: "3\n"}, {Stdin: "2 2\n", Stdout: "4\n"},
			{Stdin: "0 0\n", Stdout: "0\n"}, {Stdin: "5 5\n", Stdout: "10\n"}},
	}
	for _, row := range []string{contestLists, contestObjects} {
		s, err := Open(t.Context(), "codecontests", Options{Data: file(t, "contests.json", "["+row+"]"), Parser: runtest.OpenParser})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]Task{want}, s.Tasks, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		verdicts(t, s.Tasks[0], map[string]sandbox.Verdict{s.Tasks[0].Canonical: sandbox.Passed, s.Tasks[0].Rejects[0]: sandbox.Failed})
	}
	s, err := Open(t.Context(), "codecontests", Options{Data: file(t, "code_contests_valid.jsonl", "["+contestLists+"]"),
		Parser: runtest.OpenParser, Split: "valid"})
	if err != nil || len(s.Tasks) != 1 || s.Tasks[0].Split != "valid" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestCodeContestsSkips(t *testing.T) {
	s, err := open(t, "codecontests",
		`{"name": "a", "description": "d", "input_file": "in.txt", "public_tests": [{"input": "", "output": ""}]}`,
		`{"name": "b", "description": "d"}`,
		`{"name": "c", "description": "d", "public_tests": [{"input": "1", "output": "1"}], `+
			`"source": "NEW", "difficulty": 99, "solutions": null}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Tasks) != 1 || s.Tasks[0].ID != "c" || s.Tasks[0].Canonical != "" || s.Tasks[0].Source != "" || len(s.Info.Skipped) != 2 {
		t.Errorf("%+v, skipped %v", s.Tasks, s.Info.Skipped)
	}
}

func TestCodeContestsRefusals(t *testing.T) {
	for row, want := range map[string]string{
		`{"description": "d"}`: `"name" is missing`, `{"name": "a"}`: `"description" is missing`,
		`{"name": "a", "description": "d", "public_tests": {"input": ["1"], "output": []}}`: "1 inputs and 0 outputs",
		`{"name": "a", "description": "d", "solutions": {"language": [3], "solution": []}}`: "1 languages and 0 solutions",
		`{"name": "a", "description": "d", "public_tests": 3}`:                              "a number where a list belongs",
		`{"name": "a", "description": "d", "source": []}`:                                   "neither a number nor a name",
		`{"name": "a", "description": "d", "public_tests": [{"input": 1, "output": "1"}]}`:  "neither a text",
	} {
		_, err := open(t, "codecontests", row)
		wantError(t, err, "line 1", want)
	}
}

func FuzzCodeContests(f *testing.F) {
	fuzz(f, codeContests{}, "["+contestLists+"]", "["+contestObjects+"]")
}

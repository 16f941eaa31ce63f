package dataset

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestMBPP(t *testing.T) {
	got := one(t, "mbpp", map[string]any{
		"task_id": 11, "text": "Write a function to swap.\r\n", "test_setup_code": "",
		"code":      "def helper(a):\r\n\treturn a\r\ndef swap(a, \tb): \r\n\treturn helper(b), helper(a)\r\n",
		"test_list": []string{"assert swap(1, 2) == (2, 1)", "assert (swap(0,0)) == (0, 0)\r\n"}, "challenge_test_list": []string{"assert swap('a', None) == (None, 'a')"},
	})
	want := Task{
		ID: "MBPP/11", Split: "test", Text: "Write a function to swap.", Entry: "swap", Signature: "def swap(a, b):",
		Canonical: "def helper(a):\n\treturn a\ndef swap(a, \tb): \n\treturn helper(b), helper(a)\n",
		Tests: []Test{
			{Name: "test 1", Code: "assert swap(1, 2) == (2, 1)", Public: true}, {Name: "test 2", Code: "assert (swap(0,0)) == (0, 0)\n", Public: true},
		},
		Challenges: []Test{{Name: "challenge 1", Code: "assert swap('a', None) == (None, 'a')"}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	got.Tests = append(got.Tests, got.Challenges...)
	verdicts(t, got, map[string]sandbox.Verdict{
		got.Canonical: sandbox.Passed,
		"def swap(a, b):\n    return (b, a) if a else (0, 0)": sandbox.Passed,
		"def swap(a, b):\n    return int(b), int(a)":          sandbox.Failed, // the hidden test
		"def swapped(a, b):\n    return b, a":                 sandbox.NoEntryPoint,
	})
}

// TestMBPPTraps: each of the traps of the notes, in rows of our own.
func TestMBPPTraps(t *testing.T) {
	for name, c := range map[string]struct {
		row   map[string]any
		want  Task
		wrong string // a program that must not pass
	}{
		"brackets around the call": {
			row:  map[string]any{"code": "def Most(a):\n    return max(a)", "test_list": []string{"assert (Most([1, 2])) == 2"}},
			want: Task{Entry: "Most"}, wrong: "def Most(a): return 1",
		},
		"a call around the call": {
			row:  map[string]any{"code": "def part(a):\n    return a / 2\ndef half(a):\n    return part(a)", "test_list": []string{"assert int(half(4)) == 2"}},
			want: Task{Entry: "half"}, wrong: "def half(a): return 'x'",
		},
		"the entry point is check": {
			row:  map[string]any{"code": "def rev(n):\n    return n[::-1]\ndef check(n):\n    return rev(n) == n", "test_list": []string{"assert check('aba') == True", "assert check('ab') == False"}},
			want: Task{Entry: "check"}, wrong: "def check(candidate): return True",
		},
		"setup needs a class of the reference": {
			row: map[string]any{
				"code":            "class Leaf:\n    def __init__(self, v):\n        self.v = v\n        self.next = None\ndef total(leaf):\n    return leaf.v + total(leaf.next) if leaf else 0",
				"test_setup_code": "top = Leaf(1)\r\ntop.next = Leaf(2)", "test_list": []string{"assert total(top) == 3"},
			},
			want:  Task{Entry: "total", Setup: "class Leaf:\n    def __init__(self, v):\n        self.v = v\n        self.next = None\ntop = Leaf(1)\ntop.next = Leaf(2)"},
			wrong: "def total(leaf): return leaf.v",
		},
		"tests make objects of a class of the candidate": {
			row: map[string]any{
				"code":      "class Pair(object):\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b\ndef widest(ps):\n    return max(p.b - p.a for p in ps)",
				"test_list": []string{"assert widest([Pair(1, 2), Pair(5, 9)]) == 4"},
			},
			want: Task{Entry: "widest", Names: []string{"Pair"}}, wrong: "class Pair:\n    def __init__(self, a, b): pass\ndef widest(ps): return 1",
		},
		"tests use a module that the reference imports": {
			row:  map[string]any{"code": "import sys\ndef size(x):\n    return sys.getsizeof(x)", "test_list": []string{"assert size(()) == sys.getsizeof(())"}},
			want: Task{Entry: "size", Judge: "import sys\n"}, wrong: "def size(x): return 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			row := aRow(700)
			for k, v := range c.row {
				row[k] = v
			}
			task := one(t, "mbpp", row)
			got := Task{Entry: task.Entry, Names: task.Names, Setup: task.Setup, Judge: task.Judge}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			verdicts(t, task, map[string]sandbox.Verdict{task.Canonical: sandbox.Passed, c.wrong: sandbox.Failed})
		})
	}
}

func TestSanitized(t *testing.T) {
	row := map[string]any{
		"source_file": "x.ipynb", "task_id": 602, "prompt": "Write a function for the root.", "code": "import math\ndef root(x):\n    return math.sqrt(x)",
		"test_imports": []string{"import math", "from math import pi"}, "test_list": []string{"assert math.isclose(root(pi * pi), pi, rel_tol=0.001)"},
	}
	got := one(t, "mbpp-sanitized", row)
	want := Task{
		ID: "MBPP/602", Split: "train", Text: "Write a function for the root.", Entry: "root", Signature: "def root(x):",
		Setup:     "import math\nfrom math import pi",
		Canonical: row["code"].(string), Tests: []Test{{Name: "test 1", Code: row["test_list"].([]string)[0], Public: true}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	verdicts(t, got, map[string]sandbox.Verdict{got.Canonical: sandbox.Passed, "def root(x): return x": sandbox.Failed})
	// The two files are easily mixed up: their fields are named differently.
	_, err := open(t, "mbpp", row)
	wantError(t, err, "line 1", `sanitized: "prompt"`)
}

func FuzzMBPP(f *testing.F) {
	row := aRow(11)
	row["test_setup_code"], row["challenge_test_list"] = "x = add(1, 2)", []string{"assert add(x, (1 for y in z)) == sys.maxsize"}
	fuzz(f, mbpp{}, aRow(1), aRow("MBPP/3"), row, `{"task_id": 1e9}`, `[{"task_id": -1}]`)
}

func FuzzSanitized(f *testing.F) {
	fuzz(f, mbppSanitized{}, map[string]any{"task_id": 2, "prompt": "p", "code": "import a\nclass C: pass\ndef f(x): pass",
		"test_imports": []string{"import math"}, "test_list": []string{"assert f(C()) == a.b"}})
}

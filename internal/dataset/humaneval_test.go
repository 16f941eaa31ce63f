package dataset

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// humanRow is a row in HumanEval's form: half(n) with a helper that tests may use.
func humanRow(test string) humanEvalRow {
	return humanEvalRow{
		TaskID: "HumanEval/900", EntryPoint: "half",
		Prompt: "import math\n\ndef double(n: int):\n    return 2 * n\n\n\ndef half(n: int) -> int:\n    \"\"\" Return half of " +
			"n.\n    >>> half(4)\n    2\n    \"\"\"\n",
		CanonicalSolution: "    return n // 2\n",
		Test:              test,
	}
}

func TestHumanEval(t *testing.T) {
	row := humanRow("\n\nMETADATA = {'author': 'x'}\n\n\ndef check(candidate):\n    assert candidate(4) == 2\n    # odd\n    assert " +
		"candidate(5) == 2, \"odd\"\n")
	got := one(t, "humaneval", row)
	want := Task{
		ID: "HumanEval/900", Split: "test", Text: row.Prompt, Prefix: row.Prompt, Entry: "half", Signature: "def half(n: int) -> int:",
		Preamble:  "import math\ndef double(n: int):\n    return 2 * n\n",
		Canonical: row.Prompt + row.CanonicalSolution,
		Tests: []Test{
			{Name: "check 1", Code: "candidate = half\nassert candidate(4) == 2\n"},
			{Name: "check 2", Code: "candidate = half\nassert candidate(5) == 2, \"odd\"\n"},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	verdicts(t, got, map[string]sandbox.Verdict{
		got.Canonical:                          sandbox.Passed,
		got.Whole("    return n / 2\n"):        sandbox.Failed,
		got.Whole("    return 2\n"):            sandbox.Passed,
		got.Whole(""):                          sandbox.Failed,
		got.Whole("    return n //\n"):         sandbox.SyntaxError,
		"def double(n):\n    return 1\n":       sandbox.NoEntryPoint,
		"":                                     sandbox.Empty,
		"def half(n):\n    while True: pass\n": sandbox.Timeout,
	})
}

// TestHumanEvalHelper: a test's helper comes from the prompt, whatever a candidate makes of it.
func TestHumanEvalHelper(t *testing.T) {
	task := one(t, "humaneval", humanRow("def check(candidate):\n    for i in range(5):\n        assert candidate(double(i)) == i\n"))
	if task.Judge != task.Preamble || len(task.Tests) != 1 {
		t.Errorf("judge %q, %d tests", task.Judge, len(task.Tests))
	}
	verdicts(t, task, map[string]sandbox.Verdict{
		task.Canonical: sandbox.Passed,
		task.Whole("    return 0\n\ndef double(n):\n    return 0\n"): sandbox.Failed,
		"def half(n):\n    return n // 2\n":                          sandbox.Passed, // without the helper
	})
}

func TestSplitCheck(t *testing.T) {
	for name, c := range map[string]struct {
		test string
		want []string // "candidate = half\n" left out; nil for one test of the whole
		rest string
	}{
		"assignments go with the next call": {
			"def check(candidate):\n    a = 4\n    b = a // 2\n    assert candidate(a) == b\n    assert candidate(b) == 1\n",
			[]string{"a = 4\nb = a // 2\nassert candidate(a) == b\n", "assert candidate(b) == 1\n"}, "",
		},
		"assertions without a call go with the next": {
			"def check(candidate):\n    assert True, 'hm'\n    assert candidate(1) == 0\n    assert 1 + 1 == 2\n",
			[]string{"assert True, 'hm'\nassert candidate(1) == 0\nassert 1 + 1 == 2\n"}, "",
		},
		"what stands beside and is used": {
			"N = 4\nMETADATA = {}\ndef check(candidate):\n    assert candidate(N) == 2\n", []string{"assert candidate(N) == 2\n"}, "N = 4\n",
		},
		"several lines": {
			"def check(candidate):\n    assert candidate(\n        4\n    ) == 2\n    text = '''\n  a\n'''\n    assert candidate(len(text)) == 2\n",
			[]string{"assert candidate(\n        4\n    ) == 2\n", "text = '''\n  a\n'''\nassert candidate(len(text)) == 2\n"}, "",
		},
		"loop":                          {"def check(candidate):\n    for i in range(3):\n        assert candidate(i) == i // 2\n", nil, ""},
		"import in the body":            {"def check(candidate):\n    import re\n    assert candidate(4) == 2\n", nil, ""},
		"import beside":                 {"import re\ndef check(candidate):\n    assert candidate(4) == 2\n", nil, ""},
		"function beside":               {"def f(): pass\ndef check(candidate):\n    assert candidate(4) == 2\n", nil, ""},
		"another parameter's name":      {"def check(half_):\n    assert half_(4) == 2\n", nil, ""},
		"the candidate is replaced":     {"def check(candidate):\n    candidate = candidate\n    assert candidate(4) == 2\n", nil, ""},
		"the entry point is replaced":   {"def check(candidate):\n    half = 4\n    assert candidate(half) == 2\n", nil, ""},
		"a name is bound after use":     {"def check(candidate):\n    assert candidate(len([1])) == 0\n    len = 2\n    assert candidate(len) == 1\n", nil, ""},
		"an assignment in an assertion": {"def check(candidate):\n    assert (x := candidate(4)) == 2\n", nil, ""},
		"two names at once":             {"def check(candidate):\n    a, b = 4, 2\n    assert candidate(a) == b\n", nil, ""},
		"augmented":                     {"def check(candidate):\n    a = 2\n    a += 2\n    assert candidate(a) == 2\n", nil, ""},
		"no call at all":                {"def check(candidate):\n    assert True\n", nil, ""},
		"decorated":                     {"@staticmethod\ndef check(candidate):\n    assert candidate(4) == 2\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			task := one(t, "humaneval", humanRow(c.test))
			var want []Test
			for i, code := range c.want {
				want = append(want, Test{Name: place("check", i+1), Code: "candidate = half\n" + code})
			}
			if c.want == nil {
				want = []Test{{Name: "check", Code: "candidate = half\n" + c.test + "\n\ncheck(candidate)\n"}}
			}
			if diff := cmp.Diff(want, task.Tests); diff != "" {
				t.Error(diff)
			}
			if task.Judge != c.rest {
				t.Errorf("judge %q, want %q", task.Judge, c.rest)
			}
		})
	}
}

// TestSplitIsEquivalent: cut or whole, the real sandbox gives the same verdict, on the real tests and programs that are
// right, wrong and in between.
func TestSplitIsEquivalent(t *testing.T) {
	s := real(t, "humaneval", "humaneval/HumanEval.jsonl.gz")
	for i := 0; i < len(s.Tasks); i += 5 {
		cut := s.Tasks[i]
		if len(cut.Tests) == 1 {
			continue
		}
		whole := cut
		body := "def check(candidate):\n"
		for _, test := range cut.Tests {
			for line := range strings.Lines(test.Code) {
				body += "    " + line
			}
		}
		whole.Tests = []Test{{Name: "check", Code: body + "check(" + cut.Entry + ")\n"}}
		for _, code := range []string{cut.Canonical, cut.Whole("    return None\n"), cut.Whole("    return True\n"),
			cut.Whole("    return 0\n"), cut.Whole("    return []\n")} {
			if a, b := judge(t, cut, code), judge(t, whole, code); a.Verdict != b.Verdict {
				t.Errorf("%s: %s cut, %s whole\n%s", cut.ID, a.Verdict, b.Verdict, code)
			}
		}
	}
}

func TestHumanEvalRefusals(t *testing.T) {
	good := humanRow("def check(candidate):\n    assert candidate(4) == 2\n")
	for field, change := range map[string]func(*humanEvalRow){
		"task_id":                              func(r *humanEvalRow) { r.TaskID = "" },
		"prompt":                               func(r *humanEvalRow) { r.Prompt = "" },
		"test":                                 func(r *humanEvalRow) { r.Test = "" },
		"entry_point":                          func(r *humanEvalRow) { r.EntryPoint = "" },
		`does not define the function "third"`: func(r *humanEvalRow) { r.EntryPoint = "third" },
		`does not define the function "check"`: func(r *humanEvalRow) { r.Test = "assert half(4) == 2" },
	} {
		row := good
		change(&row)
		_, err := open(t, "humaneval", row)
		wantError(t, err, "line 1", field)
	}
}

func FuzzHumanEval(f *testing.F) {
	fuzz(f, humanEval{}, humanRow("def check(candidate):\n    a = 4\n    assert candidate(a) == 2\n"),
		humanRow("import x\ndef check(candidate):\n    for i in y: assert candidate(double(i)) == i"), `{"task_id": "", "prompt": 1}`, "[]",
		"[{}]")
}

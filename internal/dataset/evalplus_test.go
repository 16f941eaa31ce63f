package dataset

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plusRow is a row in EvalPlus's form.
func plusRow(id, entry, code string, atol float64, base, plus string) evalPlusRow {
	head, body, _ := strings.Cut(code, "\n")
	return evalPlusRow{
		TaskID: id, Prompt: head + "\n    \"\"\" Do it. \"\"\"\n", EntryPoint: entry, CanonicalSolution: body + "\n", Atol: atol,
		BaseInput: json.RawMessage(base), PlusInput: json.RawMessage(plus),
	}
}

// mbppPlusRow is a row in MBPP+'s form, whose prompts are docstrings.
func mbppPlusRow(id, entry, code string, atol float64, base string) evalPlusRow {
	return evalPlusRow{
		TaskID: id, Prompt: "\"\"\"\nDo it.\nassert " + entry + "(1) == 1\n\"\"\"\n", EntryPoint: entry, CanonicalSolution: "\n" + code + "\n",
		Atol:      atol,
		BaseInput: json.RawMessage(base), PlusInput: json.RawMessage("[]"),
	}
}

func TestHumanEvalPlus(t *testing.T) {
	row := plusRow("HumanEval/901", "scale", "def scale(xs, k):\n    xs[:] = [x * k for x in xs]\n    return xs", 0, "[[[1, 2], 2]]",
		"[[[], 0], [[1.5], 3], [[12345678901234567890], 10]]")
	task := one(t, "humanevalplus", row)
	if task.ID != "HumanEval/901" || task.Entry != "scale" || task.Signature != "def scale(xs, k):" || task.Prefix != row.Prompt ||
		task.Split != "test" || task.Text != row.Prompt {
		t.Errorf("%+v", task)
	}
	var names []string
	for _, test := range task.Tests {
		names = append(names, test.Name)
		if test.Public {
			t.Errorf("%s is public", test.Name)
		}
	}
	if diff := cmp.Diff([]string{"base 1", "plus 1", "plus 2", "plus 3"}, names); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(task.Program("").Setup, "x * k") {
		t.Error("the candidate's interpreter gets the reference")
	}
	verdicts(t, task, map[string]sandbox.Verdict{
		task.Canonical: sandbox.Passed,
		"def scale(xs, k):\n    return [x * k for x in xs]":                       sandbox.Passed,
		"def scale(xs, k):\n    return tuple(x * k for x in xs)":                  sandbox.Failed,
		"def scale(xs, k):\n    return [x * k * (1 + 1e-9) for x in xs]":          sandbox.Failed, // ints are compared exactly
		"def scale(xs, k):\n    xs.clear()\n    return xs":                        sandbox.Failed, // the judge has its own copy
		"def scale(xs, k):\n    return [x * k for x in xs] if xs != [1.5] else 4": sandbox.Failed,
	})
	j := judge(t, task, "def scale(xs, k):\n    return [x * k for x in xs] if xs != [1.5] else [4]")
	var got []sandbox.Verdict
	for _, r := range j.Results {
		got = append(got, r.Verdict)
	}
	if diff := cmp.Diff([]sandbox.Verdict{sandbox.Passed, sandbox.Passed, sandbox.Failed, sandbox.Passed}, got); diff != "" {
		t.Error(diff)
	}
}

func TestTolerance(t *testing.T) {
	for name, c := range map[string]struct {
		want, got string
		atol      float64
		ok        bool
	}{
		"equal":                         {"3", "3", 0, true},
		"floats differ by little":       {"[0.1 + 0.2]", "[0.3]", 0, true},
		"a float by 1e-6":               {"1.0", "1.0000009", 0, true},
		"a float by more":               {"1.0", "1.00001", 0, false},
		"a task's own tolerance":        {"1.0", "1.005", 0.01, true},
		"and beyond it":                 {"1.0", "1.02", 0.01, false},
		"relative":                      {"1e12", "1e12 + 9e4", 0, true},
		"ints are exact":                {"10 ** 15", "10 ** 15 + 1", 0, false},
		"ints with a tolerance":         {"100", "101", 2, true},
		"another class":                 {"1.0", "'1.0'", 0, false},
		"int for float":                 {"2.0", "2", 0, true}, // equal
		"int near float":                {"2.0000001", "2", 0, false},
		"lists of floats":               {"[1.0, 2.0]", "[1.0, 2.0000001]", 0, true},
		"tuple for list":                {"[1.0]", "(1.0000001,)", 0, false},
		"longer":                        {"[1.0]", "[1.0, 1.0]", 0, false},
		"shorter":                       {"[1.0, 1.0]", "[1.0]", 0, false},
		"mixed lists are exact":         {"[1.0, 'a']", "[1.0000001, 'a']", 0, false},
		"nested, with a tolerance":      {"[[1.0], [2.0]]", "[[1.0], [2.0000001]]", 1e-6, true},
		"text in a list with tolerance": {"['a', 1.0]", "['b', 1.0]", 1e-6, false},
		"infinity":                      {"float('inf')", "float('inf')", 0, true},
		"infinity is not near":          {"float('inf')", "1e308", 0, false},
		"nan is not":                    {"float('nan')", "float('nan')", 0, false},
		"none":                          {"None", "0", 0, false},
		"an object equal to everything": {"1", "type('E', (), {'__eq__': lambda s, o: True})()", 0, false},
		"an int equal to everything":    {"1", "type('E', (int,), {'__eq__': lambda s, o: True})(2)", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			task := one(t, "humanevalplus", plusRow("HumanEval/902", "f", "def f(x):\n    return "+c.want, c.atol, "[[1]]", "[]"))
			want := sandbox.Failed
			if c.ok {
				want = sandbox.Passed
			}
			verdicts(t, task, map[string]sandbox.Verdict{"def f(x):\n    return " + c.got: want})
		})
	}
}

// TestFindZero: any zero of the polynomial is right.
func TestFindZero(t *testing.T) {
	task := one(t, "humanevalplus", plusRow("HumanEval/32", "find_zero", "def find_zero(xs: list):\n    return 1.0", 1e-4,
		"[[[2, -3, 1, 0]]]", "[]"))
	verdicts(t, task, map[string]sandbox.Verdict{
		"def find_zero(xs): return 2.0": sandbox.Passed, "def find_zero(xs): return 1.0": sandbox.Passed,
		"def find_zero(xs): return 1.5": sandbox.Failed, "def find_zero(xs): return None": sandbox.Failed,
	})
}

// TestNotNumbers: EvalPlus's files hold what Python's json writes, which is more than JSON.
func TestNotNumbers(t *testing.T) {
	row := jsonOf(t, plusRow("HumanEval/903", "f", "def f(x, s):\n    return [str(x), s]", 0, `[[1, "2"], [3, "4"], [5, "NaN"]]`, "[]"))
	row = strings.Replace(strings.Replace(row, `[1,"2"]`, `[NaN, "-Infinity \" NaN"]`, 1), `[3,"4"]`, `[[-Infinity, Infinity], ""]`, 1)
	task := one(t, "humanevalplus", row)
	verdicts(t, task, map[string]sandbox.Verdict{
		task.Canonical: sandbox.Passed,
		"def f(x, s):\n    want = {'nan': '-Infinity \" NaN', '[-inf, inf]': '', '5': 'NaN'}\n    return [str(x), want[str(x)]]": sandbox.Passed,
	})
}

// TestReadable: what readable makes is JSON, and numbers is its inverse.
func TestReadable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "[" + strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"NaN", "Infinity", "-Infinity", "1", `"NaN"`, `"\""`, `"\\"`, `"\\\"Infinity"`, "[-Infinity]", `{"NaN":NaN}`,
		})).Draw(t, "parts"), ",") + "]"
		made := readable([]byte(text))
		if !json.Valid(made) {
			t.Fatalf("%s is no JSON", made)
		}
		if got := numbers(made); got != text {
			t.Fatalf("%s became %s", text, got)
		}
	})
}

// TestMBPPPlusArguments: the forms that JSON cannot hold, each by one task that has it. A program tells what it got.
func TestMBPPPlusArguments(t *testing.T) {
	for id, c := range map[string]struct{ input, want string }{
		"Mbpp/2":   {"[[1, 2], [3]]", "((1, 2), (3,))"},
		"Mbpp/3":   {"[[1], {\"a\": [2]}]", "([1], {'a': [2]})"},
		"Mbpp/63":  {"[[[1, 2], [3]]]", "([(1, 2), (3,)],)"},
		"Mbpp/75":  {"[[[1, 2]], 3]", "([(1, 2)], 3)"},
		"Mbpp/106": {"[[1], [2]]", "([1], (2,))"},
		"Mbpp/115": {"[[[1, 2], [], {}]]", "([{1, 2}, {}, {}],)"},
		"Mbpp/124": {"[\"0\", \"1j\"]", "(0.0, 1j)"},
		"Mbpp/250": {"[[1], 2]", "((1,), 2)"},
		"Mbpp/252": {"[\"(1+2j)\"]", "((1+2j),)"},
		"Mbpp/259": {"[[[1], [2]], [[3]]]", "(((1,), (2,)), ((3,),))"},
		"Mbpp/278": {"[[1, [2], 3]]", "((1, (2,), 3),)"},
		"Mbpp/307": {"[[1], 2, 3]", "((1,), 2, 3)"},
		"Mbpp/580": {"[[1, [2, [3]]]]", "((1, (2, (3,))),)"},
		"Mbpp/722": {"[{\"a\": [1, 2]}, 3]", "({'a': (1, 2)}, 3)"},
	} {
		task := one(t, "mbppplus", mbppPlusRow(id, "f", "def f(*a):\n    return repr(a)", 0, "["+c.input+"]"))
		verdicts(t, task, map[string]sandbox.Verdict{
			"def f(*a):\n    return repr(a)":                    sandbox.Passed,
			"def f(*a):\n    return " + quote(c.want):           sandbox.Passed,
			"def f(*a):\n    return " + quote(c.want) + "+ ' '": sandbox.Failed,
		})
	}
}

// TestMBPPPlusOracles: functions of which more than one answer is right.
func TestMBPPPlusOracles(t *testing.T) {
	for name, c := range map[string]struct {
		id, code, input string
		atol            float64
		right, wrong    []string
	}{
		"find_dissimilar":     {"Mbpp/579", "return tuple(set(a) ^ set(b))", "[[1, 2], [2, 3]]", 0, []string{"(3, 1)", "[1, 3, 3]", "{1, 3}"}, []string{"(1,)", "None", "13"}},
		"check_str":           {"Mbpp/456", "return a or None", "[\"x\", 1]", 0, []string{"True", "'y'", "0"}, []string{"False", "None"}},
		"are_equivalent":      {"Mbpp/164", "return a == b", "[1, 2]", 0, []string{"True", "False", "7"}, []string{"1 / 0"}},
		"sum_div":             {"Mbpp/295", "return a + b", "[3, 4]", 0, []string{"7", "0"}, []string{"1"}},
		"surface_Area":        {"Mbpp/581", "return 33", "[3, 4]", 0, []string{"33", "35"}, []string{"34", "None"}}, // 9 + 6 sqrt(18.25) = 34.6
		"digit_distance_nums": {"Mbpp/558", "return 5", "[1, 23]", 0, []string{"5", "4"}, []string{"3"}},            // 2 - 0 and 3 - 1
	} {
		task := one(t, "mbppplus", mbppPlusRow(c.id, name, "def "+name+"(a, b):\n    "+c.code, c.atol, "["+c.input+"]"))
		want := map[string]sandbox.Verdict{}
		for _, r := range c.right {
			want["def "+name+"(a, b): return "+r] = sandbox.Passed
		}
		for _, w := range c.wrong {
			want["def "+name+"(a, b): return "+w] = sandbox.Failed
		}
		verdicts(t, task, want)
	}
}

func TestMBPPPlus(t *testing.T) {
	task := one(t, "mbppplus", mbppPlusRow("Mbpp/602", "same", "def same(x):\n    return x", 0, "[[1], [2]]"))
	if task.ID != "Mbpp/602" || task.Split != "train" || task.Entry != "same" || task.Preamble != "" || len(task.Tests) != 2 {
		t.Errorf("%+v", task)
	}
	verdicts(t, task, map[string]sandbox.Verdict{task.Canonical: sandbox.Passed, "def same(x): return 1": sandbox.Failed})
	seen := map[int]bool{}
	for _, form := range mbppForms() {
		for _, id := range form.ids {
			if seen[id] {
				t.Errorf("Mbpp/%d has two forms of arguments", id)
			}
			seen[id] = true
		}
	}
	if len(seen) != 62 {
		t.Errorf("%d tasks have a form of their own, want 62", len(seen))
	}
}

func TestEvalPlusRefusals(t *testing.T) {
	good := plusRow("HumanEval/904", "f", "def f(x):\n    return x", 0, "[[1]]", "[]")
	for want, change := range map[string]func(*evalPlusRow){
		"task_id":            func(r *evalPlusRow) { r.TaskID = "" },
		"prompt":             func(r *evalPlusRow) { r.Prompt = "" },
		"canonical_solution": func(r *evalPlusRow) { r.CanonicalSolution = "" },
		"entry_point":        func(r *evalPlusRow) { r.EntryPoint = "" },
		`does not define`:    func(r *evalPlusRow) { r.EntryPoint = "g" },
		`"base_input": a number where a list belongs`:      func(r *evalPlusRow) { r.BaseInput = json.RawMessage("1") },
		`"plus_input": input 2 is not a list of arguments`: func(r *evalPlusRow) { r.PlusInput = json.RawMessage("[[1], 2]") },
		`"base_input" is missing or empty`:                 func(r *evalPlusRow) { r.BaseInput = json.RawMessage("[]") },
	} {
		row := good
		change(&row)
		_, err := open(t, "humanevalplus", row)
		wantError(t, err, "line 1", want)
	}
	row := mbppPlusRow("Mbpp/x", "f", "def f(x):\n    return x", 0, "[[1]]")
	_, err := open(t, "mbppplus", row)
	wantError(t, err, "line 1", "task_id")
}

func FuzzHumanEvalPlus(f *testing.F) {
	row := jsonOf(f, plusRow("HumanEval/904", "f", "def f(x):\n    return x", 1e-6, "[[1]]", "[[2]]"))
	fuzz(f, humanEvalPlus{}, row, strings.Replace(row, "[[2]]", "[[NaN, {\"-Infinity\": Infinity}]]", 1),
		strings.Replace(row, "[[2]]", "[[]]", 1))
}

func FuzzMBPPPlus(f *testing.F) {
	fuzz(f, mbppPlus{}, mbppPlusRow("Mbpp/2", "f", "def f(x):\n    return x", 0, "[[[1]]]"),
		mbppPlusRow("2", "f", "f = 1", math.MaxFloat64, "[[]]"))
}

package dataset

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// quixBugs is a set of 40 classic algorithms, each with one defect in one line and its correction.
type quixBugs struct{}

func (quixBugs) about() Info {
	return Info{
		Name:    "quixbugs",
		Title:   "QuixBugs",
		Licence: "MIT",
		Attribution: "QuixBugs by J. Koppel, D. Lin, A. Solar-Lezama and others, jkoppel/QuixBugs, MIT; its legal_notes.txt tells the " +
			"history of the programs' rights",
		Home: "https://github.com/jkoppel/QuixBugs",
	}
}

func (quixBugs) origin() origin {
	return origin{bytes: smallSet, get: "a directory with programs.jsonl (name, buggy, correct, json_testcases, driver), support.json " +
		"(file name to text; node.py) and json_testcases/NAME.json, made of https://github.com/jkoppel/QuixBugs"}
}

// quixRow is a line of programs.jsonl.
type quixRow struct {
	Name    string  `json:"name"`
	Buggy   string  `json:"buggy"`
	Correct string  `json:"correct"`
	JSON    bool    `json:"json_testcases"`
	Driver  *string `json:"driver"`
}

// quixSlow names the cases that QuixBugs's own tests leave out unless slow ones are asked for: the correct
// program would fill a table of 150 million entries, or call itself for hours.
func quixSlow(name string, line int) bool {
	return name == "knapsack" && line == 10 || name == "levenshtein" && line == 4
}

// quixTolerance names the programs whose result is near enough when it is within their last argument of the expected.
func quixTolerance(name string) bool { return name == "sqrt" }

func (q quixBugs) read(ctx context.Context, in *input) ([]Task, error) {
	if !in.dir {
		return nil, errors.New("a file; QuixBugs is a directory with programs.jsonl, support.json and json_testcases")
	}
	root, err := os.OpenRoot(in.path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	support := map[string]string{}
	if text, err := in.member(root, "support.json"); err == nil {
		if err := json.Unmarshal([]byte(text), &support); err != nil {
			return nil, fmt.Errorf("support.json: %w", tidy(err))
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	text, err := in.member(root, "programs.jsonl")
	if err != nil {
		return nil, err
	}
	return rowTasks(ctx, in, bufio.NewReader(strings.NewReader(text)), func(r quixRow) (Task, error) {
		t := Task{ID: "QuixBugs/" + r.Name, Entry: r.Name, Canonical: lines(r.Correct), Rejects: []string{lines(r.Buggy)}}
		switch {
		case !identifier(r.Name):
			return t, fmt.Errorf("field \"name\" holds %.60q where the name of a function belongs", r.Name)
		case r.Correct == "" || r.Buggy == "":
			return t, missing("correct or buggy")
		}
		m, err := in.python.parse(ctx, t.Canonical)
		if err != nil {
			return t, err
		}
		def, ok := m.last(r.Name)
		if !ok || def.how != byFunction {
			return t, errNotDefined(r.Name, "field \"correct\"")
		}
		t.Signature = def.signature
		buggy, err := in.python.parse(ctx, t.Rejects[0]) // the corrected files hold other corrections where the text was
		if err != nil {
			return t, err
		}
		t.Text = docstring(buggy)
		if r.JSON {
			return t, q.jsonTests(in, root, &t)
		}
		if r.Driver == nil {
			return t, missing("driver")
		}
		t.Setup = lines(support["node.py"])
		return t, q.driverTest(ctx, in.python, &t, lines(*r.Driver))
	})
}

// docstring returns the last string that stands alone in a program's top level: QuixBugs describes its programs there.
func docstring(m *module) string {
	text := ""
	for stmt := range m.root.NamedChildren() {
		if s := stmt.NamedChild(0); stmt.Kind() == "expression_statement" && s.Kind() == "string" {
			text = strings.TrimSpace(strings.Trim(s.Text(), "\"'"))
		}
	}
	return text
}

// quixJudge compares as QuixBugs's own tests do: a generator's values count as a list, and JSON has no tuples.
const quixJudge = `
import json
def _same(got, want, within=None):
    def plain(x):
        if isinstance(x, (str, bytes, int, float, dict, type(None))):
            return x
        return [plain(i) for i in x]
    if within is not None:
        return abs(got - want) <= within
    return plain(got) == want
`

// jsonTests makes tests of the lines "[arguments, expected]" of a task's file.
func (quixBugs) jsonTests(in *input, root *os.Root, t *Task) error {
	name := "json_testcases/" + t.Entry + ".json"
	text, err := in.member(root, name)
	if err != nil {
		return err
	}
	t.Judge = quixJudge
	n := 0
	for line := range strings.Lines(text) {
		if n++; strings.TrimSpace(line) == "" || quixSlow(t.Entry, n) {
			continue
		}
		var pair []json.RawMessage
		if err := json.Unmarshal([]byte(line), &pair); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, tidy(err))
		}
		if len(pair) != 2 {
			return fmt.Errorf("%s: line %d: want a list of arguments and an expected value", name, n)
		}
		var args []json.RawMessage
		if json.Unmarshal(pair[0], &args) != nil {
			args = []json.RawMessage{pair[0]} // one argument that is no list stands alone
		}
		within := ""
		if quixTolerance(t.Entry) && len(args) > 0 {
			within = ", within=" + value(args[len(args)-1])
		}
		one := callTest(t.Entry, args, pair[1], within)
		one.Name = place("case", n)
		t.Tests = append(t.Tests, one)
	}
	if len(t.Tests) == 0 {
		return fmt.Errorf("%s holds no tests", name)
	}
	return nil
}

// driverJudge runs a program's driver twice, with the candidate and with the reference, and compares what it prints.
// A set has no order, so sets are printed sorted.
const driverJudge = `
def _driver():
    import builtins, contextlib, io
    space = {"__name__": "driver", **globals()}
    reference = {"__name__": "reference", **globals()}
    exec(compile(REFERENCE, "reference", "exec"), reference)
    exec(compile(DRIVER, "driver", "exec"), space)
    def printed(function):
        def ordered(*args, **named):
            r = function(*args, **named)
            return sorted(r) if isinstance(r, (set, frozenset)) else r
        out = io.StringIO()
        space[ENTRY] = ordered
        with contextlib.redirect_stdout(out):
            space["main"]()
        return out.getvalue()
    def check(candidate):
        got, want = printed(candidate), printed(reference[ENTRY])
        assert got == want, "the driver prints something else"
    return check
_driver = _driver()
`

// driverTest makes a test of a driver: a module that imports the program and has a function main which prints.
func (quixBugs) driverTest(ctx context.Context, p *python, t *Task, driver string) error {
	m, err := p.parse(ctx, driver)
	if err != nil {
		return err
	}
	if !m.defines("main") {
		return errNotDefined("main", "field \"driver\"")
	}
	var body strings.Builder
	for stmt := range m.root.NamedChildren() {
		// What it imports is in the judge already; and the judge calls main itself.
		if kind := stmt.Kind(); kind != "import_from_statement" && kind != "if_statement" {
			body.WriteString(stmt.Text() + "\n")
		}
	}
	t.Judge = strings.NewReplacer("REFERENCE", quote(t.Canonical), "DRIVER", quote(body.String()), "ENTRY",
		quote(t.Entry)).Replace(driverJudge)
	t.Tests = []Test{{Name: "driver", Code: "_driver(" + t.Entry + ")\n"}}
	return nil
}

package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// This file holds what APPS and LiveCodeBench share: competition problems, of which some want a program that reads
// standard input and some a function, often as a method of a class Solution.

// solutionBridge gives a method of Solution the name that the tests call. A candidate may define the function itself.
func solutionBridge(entry string) string {
	return fmt.Sprintf("if isinstance(globals().get(\"Solution\"), type) and hasattr(Solution, %[1]q):\n"+
		"    def %[1]s(*args, **named):\n        return getattr(Solution(), %[1]q)(*args, **named)\n", entry)
}

// begun makes t a task of writing the function entry, which the set may begin with starter.
func (p *python) begun(ctx context.Context, t *Task, entry, starter string) error {
	if !identifier(entry) {
		return fmt.Errorf("%.60q is not the name of a function", entry)
	}
	t.Entry, t.Bridge = entry, solutionBridge(entry)
	// A starter ends where the body begins, which leaves a function without one.
	m, err := p.parse(ctx, strings.TrimRight(starter, " \t\n")+"\n        pass\n")
	if err != nil {
		return err
	}
	for fn := range m.root.Find("function_definition") {
		if fn.ChildByField("name").Text() == entry {
			t.Signature = signature(fn)
		}
	}
	if t.Signature == "" {
		t.Signature = "def " + entry + "(*args):"
	}
	return nil
}

// withStarter returns a task's text with the code that an answer has to begin with.
func withStarter(text, starter string) string {
	if starter = strings.TrimSpace(starter); starter == "" {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n\nStarter code:\n\n" + starter + "\n"
}

// identifier says whether s may stand as a name in Python code that we write.
func identifier(s string) bool {
	for i, c := range s {
		if !(c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return s != "" && s != "_same"
}

// sameJudge compares what a function returned with what the file says. JSON has no tuples, so a tuple is as good as a
// list; and its keys are strings, so numbers may stand for those. Lists of one are APPS's way to say the value itself,
// in some rows, where wrapped is set.
const sameJudge = `
import json
def _same(got, want, wrapped=False):
    def plain(x):
        if isinstance(x, (list, tuple)):
            return [plain(i) for i in x]
        if isinstance(x, dict):
            return {str(k): plain(v) for k, v in x.items()}
        return x
    got, want = plain(got), plain(want)
    return got == want or wrapped and isinstance(want, list) and len(want) > 0 and got == want[0]
`

// callTest asserts what entry returns for arguments, all JSON; also is further arguments of the judge's _same.
func callTest(entry string, arguments []json.RawMessage, want json.RawMessage, also string) Test {
	args := make([]string, len(arguments))
	for i, a := range arguments {
		args[i] = value(a)
	}
	call, result := entry+"("+strings.Join(args, ", ")+")", value(want)
	return Test{Code: "assert _same(" + call + ", " + result + also + ")\n", Shown: "assert " + call + " == " + result}
}

// text is a string, or a list of lines, as some rows of APPS have it.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
		return nil
	}
	var all []string
	if json.Unmarshal(data, &all) != nil {
		return errors.New("neither a text nor a list of lines")
	}
	*t = text(strings.Join(all, "\n"))
	return nil
}

// embedded is JSON that a file has as a text which holds it, or, in some copies, as it is.
type embedded string

func (e *embedded) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*e = embedded(strings.TrimSpace(s))
	return nil
}

// into decodes what e holds, which is the field name's; an empty text holds nothing.
func (e embedded) into(v any, name string) error {
	if e == "" || e == "null" {
		return nil
	}
	if err := json.Unmarshal([]byte(e), v); err != nil {
		return fmt.Errorf("field %q: %w", name, tidy(err))
	}
	return nil
}

// cases pairs inputs with outputs.
func cases(inputs, outputs []text) ([]sandbox.Case, error) {
	if len(inputs) != len(outputs) {
		return nil, fmt.Errorf("there are %d inputs and %d outputs", len(inputs), len(outputs))
	}
	all := make([]sandbox.Case, len(inputs))
	for i := range inputs {
		all[i] = sandbox.Case{Stdin: string(inputs[i]), Stdout: string(outputs[i])}
	}
	return all, nil
}

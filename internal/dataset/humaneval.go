package dataset

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// humanEval is OpenAI's set of 164 functions to complete.
type humanEval struct{}

func (humanEval) about() Info {
	return Info{
		Name:        "humaneval",
		Title:       "HumanEval",
		Licence:     "MIT",
		Attribution: "HumanEval, Copyright (c) OpenAI; M. Chen et al., Evaluating Large Language Models Trained on Code, 2021",
		Home:        "https://github.com/openai/human-eval",
		Splits:      []string{"test"},
	}
}

func (humanEval) origin() origin {
	return origin{
		url:    "https://github.com/openai/human-eval/raw/master/data/HumanEval.jsonl.gz",
		file:   "HumanEval.jsonl.gz",
		sha256: "b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
		bytes:  smallSet,
	}
}

// humanEvalRow is a row of HumanEval.jsonl.
type humanEvalRow struct {
	TaskID            string `json:"task_id"`
	Prompt            string `json:"prompt"`
	EntryPoint        string `json:"entry_point"`
	CanonicalSolution string `json:"canonical_solution"`
	Test              string `json:"test"`
}

func (humanEval) read(ctx context.Context, in *input) ([]Task, error) {
	return tasks(ctx, in, func(r humanEvalRow) (Task, error) {
		for field, value := range map[string]string{"task_id": r.TaskID, "prompt": r.Prompt, "test": r.Test} {
			if value == "" {
				return Task{}, missing(field)
			}
		}
		t, err := in.python.continued(ctx, r.TaskID, lines(r.Prompt), r.EntryPoint, lines(r.CanonicalSolution))
		if err != nil {
			return Task{}, err
		}
		checks, err := in.python.checks(ctx, lines(r.Test), t)
		if err != nil {
			return Task{}, err
		}
		t.Judge, t.Tests = checks.judge, checks.tests
		return t, nil
	})
}

// continued makes the task of continuing a prompt that ends inside the function entry.
func (p *python) continued(ctx context.Context, id, prompt, entry, solution string) (Task, error) {
	t := Task{ID: id, Split: "test", Text: prompt, Prefix: prompt, Entry: entry}
	if entry == "" {
		return t, missing("entry_point")
	}
	whole := prompt + solution
	if solution != "" {
		t.Canonical = whole
	} else {
		whole += "\n    pass\n" // so that the prompt's own function is whole
	}
	m, err := p.parse(ctx, whole)
	if err != nil {
		return t, err
	}
	def, ok := m.last(entry)
	if !ok || def.how != byFunction {
		return t, errNotDefined(entry, "the prompt")
	}
	t.Signature = def.signature
	for stmt := range m.root.NamedChildren() {
		if stmt.End() <= len(prompt) && stmt != def.node && m.made(stmt) {
			t.Preamble += stmt.Text() + "\n"
		}
	}
	return t, nil
}

// checked is a test program, cut into tests.
type checked struct {
	judge string
	tests []Test
}

// checks cuts HumanEval's test program, which defines check(candidate), into one test for each assertion. All of them
// together pass exactly when check(entry) does, which is why only a body of assertions and simple assignments is cut;
// any other is one test.
func (p *python) checks(ctx context.Context, test string, t Task) (checked, error) {
	m, err := p.parse(ctx, test)
	if err != nil {
		return checked{}, err
	}
	check, ok := m.last("check")
	if !ok || check.how != byFunction {
		return checked{}, errNotDefined("check", "the test")
	}
	var c checked
	if prompt, err := p.parse(ctx, t.Preamble); err != nil {
		return checked{}, err
	} else if prompt.serves(m.root) {
		c.judge = t.Preamble
	}
	// candidate is bound before the test's own code, which may define a function of entry's name (MBPP/56 is "check").
	bind := "candidate = " + t.Entry + "\n"
	chunks, rest, ok := split(m, check, t.Entry)
	if !ok {
		c.tests = []Test{{Name: "check", Code: bind + test + "\n\ncheck(candidate)\n"}}
		return c, nil
	}
	c.judge += rest
	for i, chunk := range chunks {
		c.tests = append(c.tests, Test{Name: place("check", i+1), Code: bind + chunk})
	}
	return c, nil
}

// serves says whether m defines a name that code uses.
func (m *module) serves(code syntax.Node) bool {
	return slices.ContainsFunc(names(code), m.defines)
}

// split cuts the body of check, and returns what stands beside it as rest. It is not ok where a cut could change what
// the whole means: the pieces run at the top level of one module, where the names that the body binds are everybody's.
func split(m *module, check definition, entry string) (chunks []string, rest string, ok bool) {
	if m.broken || check.node.Kind() != "function_definition" || oneParameter(check.node) != "candidate" {
		return nil, "", false
	}
	used := identifiers(check.node)
	for stmt := range m.root.NamedChildren() {
		name, assigns := simple(stmt)
		switch {
		case stmt == check.node || stmt.Kind() == "comment":
		case !assigns:
			return nil, "", false
		case used[name]: // not so METADATA
			rest += stmt.Text() + "\n"
		}
	}
	// An assertion that never calls the candidate says nothing of it, and no assertion should lack what is assigned
	// before it: such statements go with the next one that calls, or with the last.
	var chunk string
	before := map[string]bool{"candidate": true, "check": true, entry: true}
	for stmt := range check.node.ChildByField("body").NamedChildren() {
		switch stmt.Kind() {
		case "comment":
			continue
		case "assert_statement":
		case "expression_statement":
			// A name that the body used before would mean two things.
			if name, ok := simple(stmt); !ok || before[name] {
				return nil, "", false
			}
		default:
			return nil, "", false
		}
		for range stmt.Find("named_expression", "yield", "await") {
			return nil, "", false
		}
		maps.Copy(before, identifiers(stmt))
		chunk += stmt.Text() + "\n"
		if stmt.Kind() == "assert_statement" && calls(stmt)["candidate"] > 0 {
			chunks = append(chunks, chunk)
			chunk = ""
		}
	}
	if len(chunks) == 0 {
		return nil, "", false
	}
	chunks[len(chunks)-1] += chunk
	return chunks, rest, true
}

// simple returns the name that a statement binds when it is of the form "name = value".
func simple(stmt syntax.Node) (string, bool) {
	a := stmt.NamedChild(0)
	if stmt.Kind() != "expression_statement" || stmt.NumNamed() != 1 || a.Kind() != "assignment" {
		return "", false
	}
	left, right := a.ChildByField("left"), a.ChildByField("right")
	return left.Text(), left.Kind() == "identifier" && right.Valid() && right.Kind() != "assignment"
}

// oneParameter returns the name of a function's only parameter, "" when it has none or several.
func oneParameter(fn syntax.Node) string {
	params := fn.ChildByField("parameters")
	if params.NumNamed() != 1 {
		return ""
	}
	return strings.TrimSpace(params.NamedChild(0).Text())
}

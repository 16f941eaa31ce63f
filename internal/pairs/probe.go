package pairs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// A mutated test calls the function with an input that no test of the dataset has, made of one that has, and expects what
// the reference returns. A program that knows the dataset's few examples by heart fails it.
//
// Kinds of values are kept, and so is what holds of all inputs seen: no number turns negative, no sorted list becomes
// unsorted. An input on which the reference raises, runs out of steps, or returns what is not plain data is left out.
type prober struct {
	parser *syntax.Parser
	box    verify.Executor
	most   int
	seed   uint64
}

// marker begins the lines that the reference's run prints for us.
const marker = "\x02probe "

// sameSource compares results: floats within a millionth, all else as Python does.
const sameSource = `
def _deeprepo_same(a, b):
    if isinstance(a, float) or isinstance(b, float):
        try:
            return a == b or abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b))
        except TypeError:
            return False
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(map(_deeprepo_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_deeprepo_same(a[k], b[k]) for k in a)
    return a == b
`

// probe makes a task's mutated tests. None are made for programs that read standard input.
func (p *prober) probe(ctx context.Context, t dataset.Task) ([]dataset.Test, error) {
	if t.Entry == "" || t.Canonical == "" || p.most < 1 {
		return nil, nil
	}
	inputs, err := p.inputs(ctx, t)
	if err != nil || len(inputs) == 0 {
		return nil, err
	}
	want, err := p.outputs(ctx, t, inputs)
	if err != nil {
		return nil, err
	}
	var tests []dataset.Test
	for i, input := range inputs {
		if r, ok := want[i]; ok && len(tests) < 2*p.most {
			tests = append(tests, dataset.Test{Name: fmt.Sprintf("mutated %d", len(tests)+1),
				Code: fmt.Sprintf("assert _deeprepo_same(%s%s, %s)", t.Entry, input, r)})
		}
	}
	return p.valid(ctx, t, tests)
}

// valid leaves the tests that the reference passes when it is judged like any program.
func (p *prober) valid(ctx context.Context, t dataset.Task, tests []dataset.Test) ([]dataset.Test, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	own := t
	own.Tests, own.Judge = tests, t.Judge+sameSource
	program := own.Program(t.Canonical)
	program.KeepGoing = true
	j, err := p.box.Exec(ctx, program)
	if err != nil {
		return nil, err
	}
	var out []dataset.Test
	for i, r := range j.Results {
		if r.Verdict == sandbox.Passed && i < len(tests) && len(out) < p.most {
			out = append(out, tests[i])
		}
	}
	return out, nil
}

// outputs are what the reference returns for inputs, as Python literals.
func (p *prober) outputs(ctx context.Context, t dataset.Task, inputs []string) (map[int]string, error) {
	var b strings.Builder
	b.WriteString(t.Setup + "\n" + t.Canonical + `

import ast as _ast, json as _json
def _deeprepo_probe(i, call):
    try:
        value = call()
        text = repr(value)
        if len(text) <= 2000 and _ast.literal_eval(text) == value:
            print("\n" + ` + strconv.Quote(marker) + ` + _json.dumps([i, text]), flush=True)
    except Exception:
        pass
`)
	for i, input := range inputs {
		fmt.Fprintf(&b, "_deeprepo_probe(%d, lambda: %s%s)\n", i, t.Entry, input)
	}
	j, err := p.box.Exec(ctx, sandbox.Program{Code: b.String(), Limits: sandbox.Limits{Steps: 100_000_000}})
	if err != nil {
		return nil, err
	}
	out := map[int]string{}
	for line := range strings.Lines(j.Stdout) {
		rest, ok := strings.CutPrefix(line, marker)
		var pair [2]json.RawMessage
		var i int
		var text string
		if ok && json.Unmarshal([]byte(rest), &pair) == nil && json.Unmarshal(pair[0], &i) == nil && json.Unmarshal(pair[1], &text) == nil {
			out[i] = text
		}
	}
	return out, nil
}

// inputs are argument lists, with their parentheses, made of those in the task's tests.
func (p *prober) inputs(ctx context.Context, t dataset.Task) ([]string, error) {
	var calls []syntax.Node
	seen := map[string]bool{}
	for _, test := range t.Tests {
		tree, err := p.parser.Parse(ctx, "python", []byte(test.Code))
		if err != nil {
			return nil, err
		}
		if tree.HasError() {
			continue
		}
		for call := range tree.Root().Find("call") {
			args := call.ChildByField("arguments")
			name := call.ChildByField("function").Text() // HumanEval's tests call their parameter
			if (name == t.Entry || name == "candidate") && literal(args) && !seen[args.Text()] {
				seen[args.Text()] = true
				calls = append(calls, args)
			}
		}
	}
	if len(calls) == 0 {
		return nil, nil
	}
	r := rand.New(rand.NewPCG(p.seed, scramble(t.ID)))
	var out []string
	for try := 0; try < 20*p.most && len(out) < 4*p.most; try++ {
		args := calls[r.IntN(len(calls))]
		edits := edits(args)
		if len(edits) == 0 {
			continue
		}
		e := edits[r.IntN(len(edits))]
		text, at := args.Text(), args.Start()
		text = text[:e.start-at] + e.text + text[e.end-at:]
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out, nil
}

// literal reports values that are written out: no names, no calls.
func literal(n syntax.Node) bool {
	switch n.Kind() {
	case "integer", "float", "true", "false", "none":
		return true
	case "string":
		return !strings.ContainsAny(n.Text()[:1], "fF") && !strings.Contains(n.Text(), "{")
	case "argument_list", "list", "tuple", "set", "dictionary", "pair", "parenthesized_expression":
		for c := range n.NamedChildren() {
			if !literal(c) {
				return false
			}
		}
		return true
	case "keyword_argument":
		return literal(n.ChildByField("value"))
	case "unary_operator":
		return literal(n.NamedChild(0)) && n.NamedChild(0).Kind() != "string"
	}
	return false
}

// span is a part of a text and what takes its place.
type span struct {
	start, end int
	text       string
}

// edits are all small changes to a list of arguments.
func edits(args syntax.Node) []span {
	var out []span
	add := func(n syntax.Node, text string) { out = append(out, span{n.Start(), n.End(), text}) }
	for n := range args.Find("integer", "float", "string", "list", "tuple") {
		text := n.Text()
		switch n.Kind() {
		case "integer":
			if v, err := strconv.Atoi(text); err == nil && v < 1_000_000 && !sorted(n.Parent()) {
				add(n, strconv.Itoa(v+1))
				add(n, strconv.Itoa(v+3))
				if v > 1 {
					add(n, strconv.Itoa(v-1))
				}
			}
		case "float":
			if v, err := strconv.ParseFloat(text, 64); err == nil && v < 1e6 && !sorted(n.Parent()) {
				add(n, strconv.FormatFloat(v+0.5, 'f', -1, 64))
			}
		case "string":
			if inner := strings.Trim(text, `'"`); len(inner) >= 2 && len(inner) == len(text)-2 && !strings.ContainsAny(inner, `\`) &&
				isASCII(inner) {
				quote := text[:1]
				add(n, quote+inner[:len(inner)-1]+quote)
				add(n, quote+inner[1:]+quote)
				add(n, quote+inner+inner[len(inner)/2:]+quote)
				reversed := []byte(inner)
				slices.Reverse(reversed)
				add(n, quote+string(reversed)+quote)
			}
		default:
			out = append(out, elements(n)...)
		}
	}
	return out
}

// elements leaves out, doubles and exchanges elements of a list; of a tuple, which may be a record, only in one of tuples.
func elements(n syntax.Node) []span {
	var items []syntax.Node
	for c := range n.NamedChildren() {
		if c.Kind() == "comment" {
			return nil
		}
		items = append(items, c)
	}
	if n.Kind() == "tuple" && len(items) < 4 || len(items) < 3 {
		return nil
	}
	first, last := items[0], items[len(items)-1]
	middle := items[len(items)/2]
	out := []span{
		{first.Start(), items[1].Start(), ""},
		{items[len(items)-2].End(), last.End(), ""},
		{middle.Start(), middle.End(), middle.Text() + ", " + middle.Text()},
	}
	if !sorted(n) {
		src := string(n.Tree().Source())
		out = append(out, span{first.Start(), last.End(), last.Text() + src[first.End():last.Start()] + first.Text()})
	}
	return out
}

// sorted reports a list of at least two numbers that do not fall.
func sorted(n syntax.Node) bool {
	if n.Kind() != "list" && n.Kind() != "tuple" {
		return false
	}
	last, count := 0.0, 0
	for c := range n.NamedChildren() {
		v, err := strconv.ParseFloat(c.Text(), 64)
		if err != nil || count > 0 && v < last {
			return false
		}
		last = v
		count++
	}
	return count >= 2
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

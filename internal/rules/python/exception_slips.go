package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func exceptOr() rule.Rule {
	return rule.Rule{
		ID: "python/except-or", Title: "Handler catches only the first of the named exceptions",
		Category: "error-handling", CWE: "CWE-703", Severity: "medium", Languages: []string{"python"}, Confidence: 0.98,
		Explanation: "A or B is evaluated first and gives A: exceptions of class B pass the handler by.",
		Suggestion:  "Name them in a tuple: except (A, B).",
		Bad: []rule.Sample{
			code(`try:`, `    work()`, `except ValueError or KeyError:`, `    handle()`),
			code(`try:`, `    work()`, `except (OSError or IndexError) as e:`, `    handle(e)`),
		},
		Good: []rule.Sample{
			code(`try:`, `    work()`, `except (ValueError, KeyError):`, `    handle()`),
			code(`try:`, `    work()`, `except ValueError:`, `    a() or b()`),
			code(`try:`, `    work()`, `except errors.Any as e:`, `    handle(e)`),
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("except_clause") {
				caught, _ := exceptParts(n)
				for caught.Kind() == "parenthesized_expression" {
					caught = caught.NamedChild(0)
				}
				if caught.Kind() == "boolean_operator" {
					p.Report(caught, "")
				}
			}
		},
	}
}

func raiseNotImplemented() rule.Rule {
	return rule.Rule{
		ID: "python/raise-notimplemented", Title: "NotImplemented is raised, which is no exception",
		Category: "error-handling", CWE: "CWE-703", Severity: "low", Languages: []string{"python"}, Confidence: 0.98,
		Explanation: "NotImplemented is a value for operators. Raising it gives a TypeError about exceptions instead of the message that was meant.",
		Suggestion:  "Raise NotImplementedError.",
		Bad: []rule.Sample{
			code(`class A:`, `    def f(self):`, `        raise NotImplemented`),
			code(`def f():`, `    raise NotImplemented("later")`),
		},
		Good: []rule.Sample{
			code(`class A:`, `    def f(self):`, `        raise NotImplementedError`),
			code(`class A:`, `    def __eq__(self, o):`, `        return NotImplemented`),
			code(`def f(e):`, `    raise e`),
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("raise_statement") {
				if n.NumNamed() == 0 {
					continue
				}
				e := n.NamedChild(0)
				if e.Kind() == "call" {
					e = e.ChildByField("function")
				}
				if e.Text() == "NotImplemented" {
					p.Report(n, "")
				}
			}
		},
	}
}

func ignoredResult() rule.Rule {
	return rule.Rule{
		ID: "python/ignored-result", Title: "Result of a call that changes nothing is thrown away",
		Category: "api-misuse", CWE: "CWE-252", Severity: "medium", Languages: []string{"python"}, Confidence: 0.92,
		Explanation: "Texts cannot be changed: their methods return a new text. sorted and reversed return something new as well.",
		Suggestion:  "Assign the result: s = s.strip().",
		Bad: []rule.Sample{
			code(`def clean(s: str):`, `    s.strip()`, `    return s`),
			code(`def read(f):`, `    line = f.readline()`, `    line.rstrip("\n")`, `    return line`),
			code(`def order(xs):`, `    sorted(xs)`, `    return xs`),
			code(`def slug(s):`, `    s.replace(" ", "-")`, `    return s`),
		},
		Good: []rule.Sample{
			code(`def clean(s):`, `    return s.strip()`),
			code(`def order(xs):`, `    xs.sort()`, `    s = sorted(xs)`, `    return s`),
			code(`def widen(win, text):`, `    win.lower()`, `    text.rstrip()`),
			code(`def move(p, frame):`, `    p.replace("x")`, `    frame.replace("a", "b", inplace=True)`, `    sprite.upper(1)`),
			code(`def fails(s):`, `    try:`, `        s.encode()`, `        s.strip()`, `    except ValueError:`, `        return 1`),
		},
		InTests: rule.SkipInTests,
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("expression_statement") {
				call := n.NamedChild(0)
				if n.NumNamed() != 1 || call.Kind() != "call" || n.Enclosing("try_statement", "with_statement").Valid() {
					continue
				}
				args := p.Args(call)
				only := call.ChildByField("arguments").NumNamed() == len(args)
				f := call.ChildByField("function")
				switch {
				case f.Kind() == "identifier":
					if (f.Text() == "sorted" || f.Text() == "reversed") && len(args) == 1 {
						p.Report(n, "")
					}
				case f.Kind() == "attribute" && only:
					text := func(i int) bool { return i < len(args) && p.IsString(args[i]) }
					switch m := f.ChildByField("attribute").Text(); {
					case slices.Contains([]string{"strip", "lstrip", "rstrip", "lower", "upper", "title", "swapcase", "casefold"}, m) && (len(args) == 0 || text(0)) && textLike(p, f.ChildByField("object")),
						m == "replace" && len(args) == 2 && text(0) && text(1):
						p.Report(n, "")
					}
				}
			}
		},
	}
}

// textLike tells whether a name is seen to hold text: by its annotation, or by what it was given.
func textLike(p *rule.Pass, n syntax.Node) bool {
	if n.Kind() != "identifier" {
		return p.IsString(n)
	}
	for _, prm := range p.Parameters(p.Scope(n)) {
		if k := prm.Kind(); k == "typed_parameter" || k == "typed_default_parameter" {
			if slices.Contains(p.Names(prm), n.Text()) && prm.ChildByField("type").Text() == "str" {
				return true
			}
		}
	}
	v, ok := assigned(p, n, n)
	if !ok {
		return false
	}
	if _, built := pieces(p, v); built || p.IsString(v) {
		return true
	}
	return v.Kind() == "call" && slices.Contains([]string{"input", "str", "repr", "decode", "readline", "join", "format", "getline", "getenv"}, rule.LastName(p.Callee(v)))
}

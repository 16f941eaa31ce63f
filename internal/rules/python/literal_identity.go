package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// comparison takes "a op b" apart; op is "" for chains and for anything else.
func comparison(n syntax.Node) (left syntax.Node, op string, right syntax.Node) {
	if n.Kind() != "comparison_operator" || n.NumNamed() != 2 {
		return left, "", right
	}
	left, right = n.NamedChild(0), n.NamedChild(1)
	for c := range n.Children() {
		if c.Start() >= left.End() && c.End() <= right.Start() && c != left && c != right {
			if op != "" && op != c.Text() {
				op += " "
			} else {
				op = ""
			}
			op += c.Text()
		}
	}
	return left, op, right
}

func literalIdentity() rule.Rule {
	return rule.Rule{
		ID: "python/is-literal", Title: "Identity compared where the value is meant",
		Category: "comparison", CWE: "CWE-597", Severity: "medium", Languages: []string{"python"}, Confidence: 0.97,
		Explanation: "is asks whether both are the same object. Whether equal strings or numbers are, depends on the interpreter's caches.",
		Suggestion:  "Compare with == or !=.",
		Bad: []rule.Sample{
			code(`def f(mode):`, `    if mode is "fast":`, `        return 1`),
			code(`def g(n):`, `    return n is not 1000`),
			code(`def h(x):`, `    return x is ()`),
		},
		Good: []rule.Sample{
			code(`def f(x):`, `    return x is None or x is True or x is not False`),
			code(`def g(x):`, `    return x == "fast"`),
			code(`MISSING = object()`, `def h(x):`, `    return x is MISSING or x is ...`),
		},
		Check: func(p *rule.Pass) {
			literals := []string{"string", "concatenated_string", "integer", "float", "tuple", "list", "dictionary"}
			for n := range p.Nodes("comparison_operator") {
				left, op, right := comparison(n)
				if (op == "is" || op == "is not") && (slices.Contains(literals, left.Kind()) || slices.Contains(literals, right.Kind())) {
					p.Report(n, "")
				}
			}
		},
	}
}

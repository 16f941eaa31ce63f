package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func assertTuple() rule.Rule {
	return rule.Rule{
		ID: "python/assert-tuple", Title: "Assertion that can never fail",
		Category: "test-quality", CWE: "CWE-617", Severity: "medium", Languages: []string{"python"}, Confidence: 0.95,
		InTests:     rule.SameInTests,
		Explanation: "The asserted expression is true whatever the program does: a non-empty tuple or text is always true, and so is a constant.",
		Suggestion:  "Assert the condition: assert condition, \"message\", without parentheses around both.",
		Bad: []rule.Sample{
			code(`def check(x):`, `    assert (x > 0, "x must be positive")`),
			inFile("tests/test_a.py", `def test_a(self):`, `    self.assertTrue(1 == 1)`),
			code(`def check(x):`, `    assert "x is positive"`),
			inFile("tests/test_b.py", `def test_b(self):`, `    self.assertTrue(True)`),
			inFile("tests/test_c.py", `def test_c(self):`, `    self.assertTrue(add(1, 2), 3.5)`),
		},
		Good: []rule.Sample{
			code(`def check(x):`, `    assert x > 0, "x must be positive"`),
			code(`def check(x):`, `    assert (x > 0), "m"`, `    assert ()`),
			code(`def check(x):`, `    assert False, "not reached"`),
			inFile("tests/test_a.py", `def test_a(self):`, `    self.assertTrue(f(1), "f of one")`, `    try:`, `        f()`, `    except ValueError:`, `        self.assertTrue(True)`),
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("assert_statement") {
				if n.NumNamed() == 0 {
					continue
				}
				switch c := n.NamedChild(0); c.Kind() {
				case "tuple":
					if c.NumNamed() > 1 {
						p.Report(n, "")
					}
				case "string", "concatenated_string":
					if v, holes, _ := p.String(c); v != "" && !holes && n.NumNamed() == 1 {
						p.Report(n, "")
					}
				case "comparison_operator":
					if left, op, right := comparison(c); op == "==" && left.Kind() == "integer" && left.Text() == right.Text() {
						p.Report(n, "")
					}
				}
			}
			for _, call := range p.Calls() {
				name := p.Callee(call)
				if name != "self.assertTrue" {
					continue
				}
				at, second := p.Arg(call, 0), p.Arg(call, 1)
				if second.Kind() == "integer" || second.Kind() == "float" || second.Kind() == "list" {
					p.Report(call, "the second argument is a message, not a value to compare with")
					continue
				}
				if call.Enclosing("try_statement", "if_statement", "with_statement").Valid() {
					continue // marks a branch that was reached
				}
				if left, op, right := comparison(at); at.Text() == "True" || op == "==" && left.Text() == right.Text() && strings.Contains(" integer string ", " "+left.Kind()+" ") {
					p.Report(call, "")
				}
			}
		},
	}
}

package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func alwaysTrueOr() rule.Rule {
	return rule.Rule{
		ID: "python/or-constant", Title: "Condition is always true because of a bare constant after or",
		Category: "comparison", CWE: "CWE-571", Severity: "high", Languages: []string{"python"}, Confidence: 0.95,
		Explanation: "x == \"a\" or \"b\" means (x == \"a\") or \"b\", and a non-empty text is true: the branch is always taken.",
		Suggestion:  "Write x in (\"a\", \"b\").",
		Bad: []rule.Sample{
			code(`def f(x):`, `    if x == "a" or "b":`, `        return 1`),
			code(`def f(x):`, `    while x != 1 or 2:`, `        x = step(x)`),
		},
		Good: []rule.Sample{
			code(`def f(x):`, `    if x == "a" or x == "b":`, `        return 1`),
			code(`def f(x):`, `    name = x.name or "unknown"`, `    return name`),
			code(`def f(x):`, `    if x in ("a", "b") or 0:`, `        return (x == "a" and "yes") or "no"`),
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("boolean_operator") {
				right := n.ChildByField("right")
				if n.ChildByField("operator").Text() != "or" || !inCondition(n) {
					continue
				}
				if _, op, _ := comparison(n.ChildByField("left")); op != "==" && op != "!=" && op != "in" {
					continue
				}
				if v, holes, ok := p.String(right); ok && v != "" && !holes || right.Kind() == "integer" && right.Text() != "0" && right.Text() != "1" {
					p.Report(n, "")
				}
			}
		},
	}
}

// inCondition tells whether n decides an if, while or assert, as a part of and, or, not and parentheses.
func inCondition(n syntax.Node) bool {
	for {
		parent := n.Parent()
		switch parent.Kind() {
		case "boolean_operator", "not_operator", "parenthesized_expression":
			n = parent
			continue
		case "if_statement", "elif_clause", "while_statement":
			return parent.ChildByField("condition") == n
		case "assert_statement":
			return parent.NamedChild(0) == n
		}
		return false
	}
}

// sameOperands tells whether an expression gives the same value when it is evaluated again.
func sameOperands(p *rule.Pass, n syntax.Node) bool {
	pure := true
	n.Walk(func(c syntax.Node) bool {
		pure = pure && !slices.Contains([]string{"call", "await", "yield", "named_expression"}, c.Kind())
		return pure
	})
	return pure && !p.Constant(n)
}

func selfComparison() rule.Rule {
	return rule.Rule{
		ID: "python/self-comparison", Title: "Both sides are the same expression",
		Category: "comparison", CWE: "CWE-570", Severity: "medium", Languages: []string{"python"}, Confidence: 0.9,
		InTests:     rule.SkipInTests,
		Explanation: "The result does not depend on the value: one side was meant to be something else.",
		Suggestion:  "Compare with what was meant; to test for NaN use math.isnan.",
		Bad: []rule.Sample{
			code(`def same(a, b):`, `    return a.id == b.id and a.name == a.name`),
			code(`def f(x, y):`, `    if x > y or x > y:`, `        return 1`),
			code(`def f(a, b):`, `    return a.low <= a.low`),
		},
		Good: []rule.Sample{
			code(`def same(a, b):`, `    return a.id == b.id`),
			code(`def nan(x):`, `    return x != x`),
			code(`def pick(args):`, `    return args and args or "_"`),
			code(`def f():`, `    return next() == next() or pop() or pop()`),
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("comparison_operator") {
				left, op, right := comparison(n)
				if slices.Contains([]string{"==", "<", ">", "<=", ">=", "is", "in"}, op) && left.Text() == right.Text() && sameOperands(p, left) && n.Parent().Kind() != "assert_statement" && (left.Kind() != "identifier" || op != "==") {
					p.Report(n, "")
				}
			}
			for n := range p.Nodes("boolean_operator") {
				left, right := n.ChildByField("left"), n.ChildByField("right")
				if left.Kind() == "comparison_operator" && left.Text() == right.Text() && sameOperands(p, left) {
					p.Report(n, "")
				}
			}
		},
	}
}

package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func operatorPrecedence() rule.Rule {
	return rule.Rule{
		ID: "c/operator-precedence", Title: "a comparison binds tighter than the bit operator or negation around it",
		Category: "comparison", CWE: "CWE-783", Severity: "high", Confidence: 0.92,
		Languages: []string{"c"},
		Explanation: "flags & MASK == 0 is flags & (MASK == 0), and !flags & MASK is (!flags) & MASK; !a == b compares the negation, not the two values. " +
			"The test that was meant is never made.",
		Suggestion: "Put parentheses around what belongs together: (flags & MASK) == 0, !(flags & MASK), a != b.",
		Bad: []rule.Sample{
			{Source: "int ready(int flags) {\n    return flags & READY == 0;\n}\n"},
			{Source: "int hidden(struct entry *e) {\n    if (!e->flags & VISIBLE)\n        return 1;\n    return 0;\n}\n"},
			{Source: "int other(int a, int b) {\n    if (!a == 5)\n        return b;\n    return 0;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int ready(int flags) {\n    return (flags & READY) == 0;\n}\n"},
			{Source: "int hidden(struct entry *e) {\n    return !(e->flags & VISIBLE);\n}\n"},
			{Source: "int both(int a, int b) {\n    return (a > 1) & (b == 2);\n}\n"},
			{Source: "int same(int a, int b) {\n    return !a == !b;\n}\n"},
			{Source: "int all(int a, int b, int c) {\n    return a == 1 & b == 2;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			compares := []string{"==", "!=", "<", ">", "<=", ">="}
			for n := range p.Nodes("binary_expression") {
				left, right, op := n.ChildByField("left"), n.ChildByField("right"), operator(n)
				negated := left.Kind() == "unary_expression" && operator(left) == "!"
				switch {
				case op == "&" || op == "|" || op == "^":
					mixed := right.Kind() == "binary_expression" && slices.Contains(compares, operator(right)) && left.Kind() != "binary_expression" && !negated
					if mixed && left.Kind() != "parenthesized_expression" && p.Constant(right.ChildByField("left")) {
						p.Report(n, "")
					}
					if negated && op == "&" && p.Constant(right) {
						p.Report(n, "")
					}
				case op == "==" || op == "!=":
					if inner := left.ChildByField("argument"); negated && right.Kind() == "number_literal" && right.Text() != "0" && right.Text() != "1" && inner.Kind() != "unary_expression" {
						p.Report(n, "")
					}
				}
			}
		},
	}
}

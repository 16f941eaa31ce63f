package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func (checks) OrConstant(p *rule.Pass) {
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

func (checks) SelfComparison(p *rule.Pass) {
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
}

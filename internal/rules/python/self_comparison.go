package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func (*checks) SelfComparison(p *rule.Pass) {
	for _, n := range p.Nodes("comparison_operator") {
		left, op, right := comparison(n)
		if slices.Contains([]string{"==", "<", ">", "<=", ">=", "is", "in"}, op) && left.Text() == right.Text() &&
			sameOperands(p, left) && n.Parent().Kind() != "assert_statement" && (left.Kind() != "identifier" || op != "==") {
			p.Report(n, "")
		}
	}
	for _, n := range p.Nodes("boolean_operator") {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if left.Kind() == "comparison_operator" && left.Text() == right.Text() && sameOperands(p, left) {
			p.Report(n, "")
		}
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

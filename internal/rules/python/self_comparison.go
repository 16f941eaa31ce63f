package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) SelfComparison(p *rule.Pass) {
	p.ReportWhere(p.Nodes("comparison_operator"), func(n rule.Node) bool {
		left, op, right := comparison(n)
		return rule.OneOf(op, "==", "<", ">", "<=", ">=", "is", "in") && left.Text() == right.Text() &&
			sameOperands(p, left) && n.Parent().Kind() != "assert_statement" && (left.Kind() != "identifier" || op != "==")
	})
	p.ReportWhere(p.Nodes("boolean_operator"), func(n rule.Node) bool {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		return left.Kind() == "comparison_operator" && left.Text() == right.Text() && sameOperands(p, left)
	})
}

// sameOperands tells whether an expression gives the same value when it is evaluated again.
func sameOperands(p *rule.Pass, n rule.Node) bool {
	impure := func(c rule.Node) bool { return c.Is("call", "await", "yield", "named_expression") }
	return !rule.Within(n, impure) && !p.Constant(n)
}

package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OperatorPrecedence(p *rule.Pass) {
	compares := []string{"==", "!=", "<", ">", "<=", ">="}
	for _, n := range p.Nodes("binary_expression") {
		left, right, op := n.ChildByField("left"), n.ChildByField("right"), n.Operator()
		negated := left.Kind() == "unary_expression" && left.Operator() == "!"
		switch {
		case op == "&" || op == "|" || op == "^":
			mixed := right.Kind() == "binary_expression" && slices.Contains(compares, right.Operator()) &&
				left.Kind() != "binary_expression" && !negated
			if mixed && left.Kind() != "parenthesized_expression" && p.Constant(right.ChildByField("left")) {
				p.Report(n, "")
			}
			if negated && op == "&" && p.Constant(right) {
				p.Report(n, "")
			}
		case op == "==" || op == "!=":
			if inner := left.ChildByField("argument"); negated && right.Kind() == "number_literal" && right.Text() != "0" &&
				right.Text() != "1" && inner.Kind() != "unary_expression" {
				p.Report(n, "")
			}
		}
	}
}

package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AssignmentInCondition(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement", "while_statement", "do_statement") {
		c := n.ChildByField("condition")
		if c.Kind() != "parenthesized_expression" || c.NumNamed() != 1 {
			continue
		}
		a := c.NamedChild(0)
		if a.Kind() != "assignment_expression" || a.Operator() != "=" || broken(n) {
			continue
		}
		value := rule.Bare(a.ChildByField("right"))
		if p.Constant(value) && value.Kind() != "string_literal" {
			p.Report(a, "")
		}
	}
}

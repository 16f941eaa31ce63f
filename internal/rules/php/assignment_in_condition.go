package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AssignmentInCondition(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement", "else_if_clause", "while_statement") {
		c := n.ChildByField("condition")
		a := c.NamedChild(0)
		if c.NumNamed() == 1 && a.Is("assignment_expression") &&
			a.ChildByField("right").Is("string", "integer", "float", "boolean", "null", "name") {
			p.Report(c, "")
		}
	}
}

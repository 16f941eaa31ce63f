package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AssignmentInCondition(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement", "else_if_clause", "while_statement") {
		c := n.ChildByField("condition")
		if c.NumNamed() != 1 || c.NamedChild(0).Kind() != "assignment_expression" {
			continue
		}
		switch c.NamedChild(0).ChildByField("right").Kind() {
		case "string", "integer", "float", "boolean", "null", "name":
			p.Report(c, "")
		}
	}
}

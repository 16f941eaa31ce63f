package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AssignmentInCondition(p *rule.Pass) {
	for _, n := range p.Nodes("if", "unless", "if_modifier", "unless_modifier", "while", "elsif") {
		c := n.ChildByField("condition")
		for c.Kind() == "parenthesized_statements" && c.NumNamed() == 1 {
			c = c.NamedChild(0)
		}
		if c.Is("assignment") && c.ChildByField("right").Is("string", "integer", "float", "simple_symbol", "true", "false", "nil") {
			p.Report(c, "")
		}
	}
}

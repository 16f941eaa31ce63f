package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// ConditionAssignment looks for if (x = literal).
func (*checks) ConditionAssignment(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement", "while_statement", "do_statement") {
		cond := n.ChildByField("condition")
		if cond.NumNamed() != 1 {
			continue
		}
		a := cond.NamedChild(0)
		if a.Kind() != "assignment_expression" {
			continue
		}
		switch unwrap(a.ChildByField("right")).Kind() {
		case "string", "number", "true", "false", "null", "undefined":
			p.Report(cond, "")
		}
	}
}

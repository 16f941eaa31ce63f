package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// ConditionAssignment looks for if (x = literal).
func (*checks) ConditionAssignment(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement", "while_statement", "do_statement") {
		cond := n.ChildByField("condition")
		a := cond.NamedChild(0)
		if cond.NumNamed() == 1 && a.Is("assignment_expression") &&
			unwrap(a.ChildByField("right")).Is("string", "number", "true", "false", "null", "undefined") {
			p.Report(cond, "")
		}
	}
}

package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) OrConstant(p *rule.Pass) {
	p.ReportWhere(p.Nodes("boolean_operator"), func(n rule.Node) bool {
		right := n.ChildByField("right")
		if n.Operator() != "or" || !inCondition(n) {
			return false
		}
		if _, op, _ := comparison(n.ChildByField("left")); op != "==" && op != "!=" && op != "in" {
			return false
		}
		v, holes, ok := p.String(right)
		return ok && v != "" && !holes ||
			right.Kind() == "integer" && right.Text() != "0" && right.Text() != "1"
	})
}

// inCondition tells whether n decides an if, while or assert, as a part of and, or, not and parentheses.
func inCondition(n rule.Node) bool {
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

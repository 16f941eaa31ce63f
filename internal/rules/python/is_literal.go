package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// comparison takes "a op b" apart; op is "" for chains and for anything else.
func comparison(n rule.Node) (left rule.Node, op string, right rule.Node) {
	if n.Kind() != "comparison_operator" || n.NumNamed() != 2 {
		return left, "", right
	}
	left, right = n.NamedChild(0), n.NamedChild(1)
	for c := range n.Children() {
		if c.Start() >= left.End() && c.End() <= right.Start() && c != left && c != right {
			if op != "" && op != c.Text() {
				op += " "
			} else {
				op = ""
			}
			op += c.Text()
		}
	}
	return left, op, right
}

func (*checks) IsLiteral(p *rule.Pass) {
	literals := []string{"string", "concatenated_string", "integer", "float", "tuple", "list", "dictionary"}
	p.ReportWhere(p.Nodes("comparison_operator"), func(n rule.Node) bool {
		left, op, right := comparison(n)
		return (op == "is" || op == "is not") && (slices.Contains(literals, left.Kind()) || slices.Contains(literals, right.Kind()))
	})
}

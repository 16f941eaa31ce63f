package golang

import "github.com/deeprepo/deeprepo/internal/syntax"

// DeMorgan writes a condition as the negation of its contrary: it looks turned around and asks the same.
func (*operators) DeMorgan(s *source) {
	for _, test := range s.kinds["if_statement"] {
		c := test.ChildByField("condition")
		o := map[string]string{"&&": "||", "||": "&&"}[c.Operator()]
		if c.Kind() != "binary_expression" || o == "" || c.Line() != c.EndLine() {
			continue
		}
		left, right := contrary(c.ChildByField("left")), contrary(c.ChildByField("right"))
		if left == "" || right == "" {
			continue
		}
		s.Report(s.Replace(c, "!("+left+" "+o+" "+right+")"),
			"%s negates %s %s %s, which by De Morgan's law is just the condition that is wanted.", nameOf(function(test)), one(left), o, one(right))
	}
}

// contrary negates an operand, "" where that would not be read at a glance, or not be exact.
func contrary(n syntax.Node) string {
	switch n.Kind() {
	case "unary_expression":
		if operand := n.ChildByField("operand"); n.Operator() == "!" && operand.Kind() != "parenthesized_expression" {
			return operand.Text()
		}
	case "binary_expression":
		if o := map[string]string{"==": "!=", "!=": "=="}[n.Operator()]; o != "" {
			return n.ChildByField("left").Text() + " " + o + " " + n.ChildByField("right").Text()
		}
	case "call_expression", "identifier", "selector_expression":
		return "!" + n.Text()
	}
	return ""
}

package golang

import "strings"

// AppendTruncates empties a file that is only ever to be added to.
func (*operators) AppendTruncates(s *source) {
	for _, n := range s.kinds["selector_expression"] {
		x, field := n.ChildByField("operand"), n.ChildByField("field").Text()
		call := n.Enclosing("call_expression")
		if field != "O_APPEND" || s.imports[x.Text()] != "os" || !s.callTo(call, "os", "OpenFile") || len(arguments(call)) != 3 ||
			strings.Contains(call.Text(), "O_TRUNC") || strings.Contains(call.Text(), "O_EXCL") {
			continue
		}
		if p := n.Parent(); p.Kind() == "binary_expression" && p.Operator() != "|" {
			continue
		}
		s.Report(s.Replace(n, x.Text()+".O_TRUNC"), "%s opens %s with O_TRUNC where it is to be appended to: what earlier runs wrote is lost.",
			nameOf(function(n)), one(arguments(call)[0].Text()))
	}
}

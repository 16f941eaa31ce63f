package golang

import "regexp"

var limitText = regexp.MustCompile(`(?i)(^|\.)(limit|max\w*|most|room|cap|capacity|quota|\w*limit)$`)

// LimitShift lets one more through than a limit allows.
func (*operators) LimitShift(s *source) {
	for _, n := range s.kinds["binary_expression"] {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		test := n.Enclosing("if_statement", "block")
		if n.Operator() != ">=" || !limitText.MatchString(right.Text()) || test.Kind() != "if_statement" ||
			n.End() > test.ChildByField("consequence").Start() || n.Line() != n.EndLine() {
			continue
		}
		if k := left.Kind(); k != "identifier" && k != "selector_expression" && k != "call_expression" && k != "binary_expression" {
			continue
		}
		s.Report(s.Replace(n, left.Text()+" > "+right.Text()),
			"%s asks whether %s is above %s instead of at it, so one more than the limit gets through.", nameOf(function(n)), one(left.Text()),
			right.Text())
	}
}

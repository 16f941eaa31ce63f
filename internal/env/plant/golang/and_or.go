package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// AndOr makes one of two conditions enough where both are wanted.
func (*operators) AndOr(s *source) {
	for _, n := range s.kinds["binary_expression"] {
		left, right := n.ChildByField("left"), n.ChildByField("right")
		if n.Operator() != "&&" || !simpleTest(left) || !simpleTest(right) || left.Text() == right.Text() ||
			n.EndLine() > n.Line()+1 {
			continue
		}
		outer := n.Parent()
		if outer.Kind() == "expression_list" {
			outer = outer.Parent()
		}
		if k := outer.Kind(); k != "if_statement" && k != "return_statement" || outer.ChildByField("initializer").Valid() {
			continue
		}
		e := s.Replace(n, left.Text()+" || "+right.Text())
		what := one(left.Text()) + " or " + one(right.Text())
		s.Report(e, "%s takes %s for enough where both must hold.", nameOf(function(n)), what)
	}
}

// simpleTest says whether a condition stands for itself: nothing that the other one must come first for.
func simpleTest(n syntax.Node) bool {
	for c := range n.Find("nil", "call_expression", "index_expression", "type_assertion_expression", "binary_expression") {
		switch {
		case c.Kind() == "binary_expression":
			if o := c.Operator(); o == "&&" || o == "||" || o == "/" || o == "%" {
				return false
			}
		case c.Kind() != "call_expression" || c.ChildByField("function").Text() == "len" || c.ChildByField("function").Text() == "cap":
			return false
		}
	}
	if text := n.Text(); strings.Contains(text, "subtle.") || strings.Contains(text, "hmac.") {
		return false // who may do what is another kind of defect
	}
	return n.Kind() != "binary_expression" || !strings.Contains("&&||", n.Operator())
}

// one is a text of an expression for a description: one line, cut where it is long.
func one(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		return text[:strings.LastIndexAny(text[:58], " .,([")+1] + "..."
	}
	return text
}

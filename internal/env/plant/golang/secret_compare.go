package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SecretCompare compares a secret with ==, which tells by its time how much of a guess was right.
func (*operators) SecretCompare(s *source) {
	for call, args := range s.calls() {
		if len(args) != 2 {
			continue
		}
		whole, operator := call, "=="
		switch parent := call.Parent(); {
		case s.callTo(call, "crypto/hmac", "Equal"):
			if parent.Kind() == "unary_expression" && strings.HasPrefix(parent.Text(), "!") {
				whole, operator = parent, "!="
			}
		case s.callTo(call, "crypto/subtle", "ConstantTimeCompare") && parent.Kind() == "binary_expression" &&
			parent.ChildByField("left") == call:
			whole = parent
			switch parent.Operator() + parent.ChildByField("right").Text() {
			case "==1", "!=0":
			case "!=1", "==0":
				operator = "!="
			default:
				continue
			}
		default:
			continue
		}
		s.reportTidy(s.Replace(whole, text(args[0])+" "+operator+" "+text(args[1])),
			"%s compares a secret with %s, whose time depends on the first difference, so the secret can be guessed byte by byte.",
			nameOf(function(call)), operator)
	}
}

// text is a []byte argument as a string expression.
func text(n syntax.Node) string {
	if n.Kind() == "type_conversion_expression" && n.ChildByField("type").Text() == "[]byte" {
		return n.ChildByField("operand").Text()
	}
	return "string(" + n.Text() + ")"
}

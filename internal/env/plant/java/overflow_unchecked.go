package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var exactSigns = map[string]string{"addExact": "+", "subtractExact": "-", "multiplyExact": "*"}

// OverflowUnchecked computes without the test that the result fits: a sum that is too large silently becomes negative.
func (operators) OverflowUnchecked(f file) []plant.Site {
	var found []plant.Site
	for call := range f.root.Find("method_invocation") {
		as, sign := args(call), exactSigns[called(call)]
		if receiver(call).Text() != "Math" || sign == "" || len(as) != 2 {
			continue
		}
		text := operand(as[0]) + " " + sign + " " + operand(as[1])
		switch call.Parent().Kind() {
		case "assignment_expression", "variable_declarator", "return_statement", "lambda_expression", "parenthesized_expression", "argument_list":
		default:
			text = "(" + text + ")"
		}
		found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, text)},
			Description: fmt.Sprintf("%s computes %s without the check for overflow, so that a result too large wraps around instead of failing", methodName(call), short(text))})
	}
	return found
}

// operand is an expression as it may stand next to an operator.
func operand(n syntax.Node) string {
	if plain(n) || n.Kind() == "parenthesized_expression" || n.Kind() == "decimal_integer_literal" {
		return n.Text()
	}
	return "(" + n.Text() + ")"
}

package java

import "github.com/deeprepo/deeprepo/internal/syntax"

var exactSigns = map[string]string{"addExact": "+", "subtractExact": "-", "multiplyExact": "*"}

// OverflowUnchecked computes without the test that the result fits: a sum that is too large silently becomes negative.
func (*operators) OverflowUnchecked(f file) {
	for call := range f.Root.Find("method_invocation") {
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
		f.Report(f.Replace(call, text),
			"%s computes %s without the check for overflow, so that a result too large wraps around instead of failing", methodName(call),
			short(text))
	}
}

// operand is an expression as it may stand next to an operator.
func operand(n syntax.Node) string {
	if plain(n) || n.Kind() == "parenthesized_expression" || n.Kind() == "decimal_integer_literal" {
		return n.Text()
	}
	return "(" + n.Text() + ")"
}

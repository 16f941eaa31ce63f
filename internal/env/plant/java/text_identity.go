package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var comparisonHolders = []string{"parenthesized_expression", "return_statement", "unary_expression", "variable_declarator",
	"ternary_expression", "lambda_expression", "argument_list", "binary_expression"}

// TextIdentity compares two texts with == instead of equals: equal texts that came from different places, a request and
// a table, say, are different objects.
func (*operators) TextIdentity(f file) {
	for call, as := range f.calls("equals") {
		if len(as) != 1 || !receiver(call).Valid() || methodName(call) == "equals" ||
			!slices.Contains(comparisonHolders, call.Parent().Kind()) {
			continue
		}
		a, b := receiver(call), as[0]
		if !isText(a) && !isText(b) || a.Kind() == "string_literal" && b.Kind() == "string_literal" || !plain(a) || !plain(b) {
			continue
		}
		whole, sign := call, " == "
		switch up := call.Parent(); {
		case up.Kind() == "unary_expression" && strings.HasPrefix(up.Text(), "!"):
			whole, sign = up, " != "
		case up.Kind() == "binary_expression" && operator(up) != "&&" && operator(up) != "||":
			continue
		}
		f.Report(f.Replace(whole, a.Text()+sign+b.Text()),
			"%s compares the texts %s and %s by identity, so that equal texts from different places count as different", methodName(call),
			short(a.Text()), short(b.Text()))
	}
}

// isText says whether an expression is known to be a text.
func isText(n syntax.Node) bool {
	return n.Kind() == "string_literal" || (n.Kind() == "identifier" || n.Kind() == "field_access") && typeOf(n, n.Text()) == "String"
}

// plain says whether an expression needs no parentheses around it.
func plain(n syntax.Node) bool {
	return slices.Contains([]string{"identifier", "field_access", "method_invocation", "string_literal", "array_access"}, n.Kind())
}

package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// textIdentity compares two texts with == instead of equals: equal texts that came from different places, a request and
// a table, say, are different objects.
func textIdentity() plant.Operator {
	around := []string{"parenthesized_expression", "return_statement", "unary_expression", "variable_declarator", "ternary_expression", "lambda_expression", "argument_list", "binary_expression"}
	return plant.Operator{
		Name: "java/text-identity", Language: language, Split: env.Train, Category: "comparison", CWE: "CWE-597", Severity: "high", Hint: "equals",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if called(call) != "equals" || len(as) != 1 || !receiver(call).Valid() || methodName(call) == "equals" || !slices.Contains(around, call.Parent().Kind()) {
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
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(whole, a.Text()+sign+b.Text())},
					Description: fmt.Sprintf("%s compares the texts %s and %s by identity, so that equal texts from different places count as different", methodName(call), short(a.Text()), short(b.Text()))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  boolean f(String user, Row row) {\n    return row.owner().equals(user);\n  }\n}\n", "row.owner().equals(user)", "row.owner() == user"),
			sample("class A{void f(String kind){if(!\"open\".equals( kind )||late)stop();}}\n", "!\"open\".equals( kind )", "\"open\" != kind"),
		},
		Never: []string{
			"class A {\n  boolean f(Row a, Row b) {\n    return a.equals(b) || a.id() == b.id();\n  }\n}\n",
			"class A {\n  String name;\n  public boolean equals(Object o) {\n    return o instanceof A a && name.equals(a.name);\n  }\n}\n",
		},
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

package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// overflowUnchecked computes without the test that the result fits: a sum that is too large silently becomes negative.
func overflowUnchecked() plant.Operator {
	signs := map[string]string{"addExact": "+", "subtractExact": "-", "multiplyExact": "*"}
	return plant.Operator{
		Name: "java/overflow-unchecked", Language: language, Split: env.Train, Category: "logic", CWE: "CWE-190", Severity: "medium", Hint: "Exact",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as, sign := args(call), signs[called(call)]
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
		}),
		Samples: []plant.Sample{
			sample("class A {\n  long f(long a, Row r) {\n    return Math.addExact(a, r.cents());\n  }\n}\n", "Math.addExact(a, r.cents())", "a + r.cents()"),
			sample("class A{long f(long a,long b){return 1-Math . multiplyExact( a+1,b );}}\n", "Math . multiplyExact( a+1,b )", "((a+1) * b)"),
		},
		Never: []string{
			"class A {\n  long f(long a, long b) {\n    return a + b;\n  }\n}\n",
			"class A {\n  long f(Money a, long b) {\n    return a.addExact(b, 1) + Math.toIntExact(b);\n  }\n}\n",
		},
	}
}

// operand is an expression as it may stand next to an operator.
func operand(n syntax.Node) string {
	if plain(n) || n.Kind() == "parenthesized_expression" || n.Kind() == "decimal_integer_literal" {
		return n.Text()
	}
	return "(" + n.Text() + ")"
}

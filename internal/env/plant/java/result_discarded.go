package java

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// resultDiscarded calls a method that gives a changed copy, and drops the copy: the variable stays as it was.
func resultDiscarded() plant.Operator {
	texts := []string{"strip", "trim", "toLowerCase", "toUpperCase", "replace", "replaceAll", "concat", "substring", "normalize", "toAbsolutePath"}
	numbers := []string{"add", "subtract", "multiply", "divide", "plus", "minus", "plusSeconds", "plusDays", "minusDays", "setScale", "negate"}
	values := []string{"BigDecimal", "BigInteger", "Instant", "Duration", "LocalDate"}
	return plant.Operator{
		Name: "java/result-discarded", Language: language, Split: env.Train, Category: "api-misuse", CWE: "CWE-252", Severity: "medium", Hint: "=",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for a := range f.root.Find("assignment_expression") {
				target, call := left(a), right(a)
				if a.Parent().Kind() != "expression_statement" || a.ChildByField("operator").Text() != "=" || receiver(call).Text() != target.Text() {
					continue
				}
				if name := called(call); !slices.Contains(texts, name) && !(slices.Contains(numbers, name) && slices.Contains(values, typeOf(a, target.Text()))) {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(a, call.Text())},
					Description: fmt.Sprintf("%s drops the result of %s.%s, which changes nothing in place: %s stays as it was", methodName(a), target.Text(), called(call), target.Text())})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  String f(String s) {\n    s = s.strip();\n    return s;\n  }\n}\n", "s = s.strip()", "s.strip()"),
			sample("class A{BigDecimal sum;void f(BigDecimal x){this.sum=this.sum.add( x );}}\n", "this.sum=this.sum.add", "this.sum.add"),
		},
		Never: []string{
			"class A {\n  String f(String s) {\n    s.strip();\n    String t = s.trim();\n    return t;\n  }\n}\n",
			"class A {\n  Node f(Node n) {\n    n = n.add(1);\n    return n;\n  }\n}\n",
		},
	}
}

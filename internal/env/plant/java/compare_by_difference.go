package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// compareByDifference orders numbers by their difference cut down to an int: a large one changes its sign, and fractions
// below 1 count as equal.
func compareByDifference() plant.Operator {
	return plant.Operator{
		Name: "java/compare-by-difference", Language: language, Split: env.Heldout, Category: "comparison", CWE: "CWE-197", Severity: "medium", Hint: "compare",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as, on := args(call), receiver(call).Text()
				effect := map[string]string{"Long": "differences beyond 2^31 change their sign", "Double": "fractions below 1 count as equal"}[on]
				if called(call) != "compare" || len(as) != 2 || effect == "" {
					continue
				}
				text := "(int) (" + operand(as[0]) + " - " + operand(as[1]) + ")"
				if call.Field() == "object" {
					text = "(" + text + ")"
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, text)},
					Description: fmt.Sprintf("%s compares by a difference cut down to int, where %s, so that the order is wrong", methodName(call), effect)})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(List<Row> rows) {\n    rows.sort((a, b) -> Long.compare(a.at(), b.at()));\n  }\n}\n", "Long.compare(a.at(), b.at())", "(int) (a.at() - b.at())"),
			sample("class A implements Comparable<A>{double x;public int compareTo(A o){return Double . compare( x,o.x*2 );}}\n", "Double . compare( x,o.x*2 )", "(int) (x - (o.x*2))"),
		},
		Never: []string{
			"class A {\n  void f(List<Row> rows) {\n    rows.sort((a, b) -> (int) (a.at() - b.at()));\n  }\n}\n",
			"class A {\n  int f(Cmp c, Row a, Row b) {\n    return c.compare(a, b) + Integer.compare(1, 2);\n  }\n}\n",
		},
	}
}

package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ratioTruncated divides whole numbers first and makes a fraction of the result after: every share below 1 becomes 0.
func ratioTruncated() plant.Operator {
	fraction := func(n syntax.Node) bool {
		t := typeOf(n, n.Text())
		return n.Kind() == "decimal_floating_point_literal" || n.Kind() == "cast_expression" || t == "double" || t == "float" || t == "Double"
	}
	return plant.Operator{
		Name: "java/ratio-truncated", Language: language, Split: env.Heldout, Category: "logic", CWE: "CWE-682", Severity: "medium", Hint: "(double)",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for b := range f.root.Find("binary_expression") {
				c := left(b)
				if operator(b) != "/" || c.Kind() != "cast_expression" || c.ChildByField("type").Text() != "double" {
					continue
				}
				value := c.ChildByField("value")
				if fraction(value) || fraction(right(b)) || value.Kind() == "parenthesized_expression" {
					continue
				}
				text := "(double) (" + value.Text() + " / " + right(b).Text() + ")"
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(b, text)},
					Description: fmt.Sprintf("%s divides the whole numbers %s and %s before the cast, so that the fraction is cut off", methodName(b), short(value.Text()), short(right(b).Text()))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  double f(int good, int all) {\n    return all == 0 ? 0 : (double) good / all;\n  }\n}\n", "(double) good / all", "(double) (good / all)"),
			sample("class A{double f(List<Row> a,long n){return 100*((double)a.size( )/n);}}\n", "(double)a.size( )/n", "(double) (a.size( ) / n)"),
		},
		Never: []string{
			"class A {\n  double f(int good, int all) {\n    return (double) (good / all);\n  }\n}\n",
			"class A {\n  double f(double good, int all) {\n    return (double) good / all + (double) all / 2.5;\n  }\n}\n",
		},
	}
}

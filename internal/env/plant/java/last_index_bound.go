package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// sizeBoundDecoy writes i <= n - 1 for i < n, and i > -1 for i >= 0, which are the same for whole numbers.
func sizeBoundDecoy() plant.Operator {
	size := regexp.MustCompile(`\.(size|length)\(\)$|\.length$`)
	return plant.Operator{
		Name: "java/last-index-bound", Language: language, Split: env.Heldout, Category: "off-by-one", CWE: "CWE-193", Severity: "medium", Decoy: true, Hint: "for (",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for loop := range f.root.Find("for_statement") {
				c := loop.ChildByField("condition")
				text := ""
				switch {
				case operator(c) == "<" && size.MatchString(right(c).Text()):
					text = left(c).Text() + " <= " + right(c).Text() + " - 1"
				case operator(c) == ">=" && right(c).Text() == "0":
					text = left(c).Text() + " > -1"
				default:
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(c, text)}, Description: fmt.Sprintf("the loop of %s runs while %s, which is the same as %s for whole numbers", methodName(c), short(text), short(c.Text()))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(List<Row> rows) {\n    for (int i = 0; i < rows.size(); i++) {\n      send(rows.get(i));\n    }\n  }\n}\n", "i < rows.size()", "i <= rows.size() - 1"),
			sample("class A{void f(int[] v){for (int i=v.length-1;i>=0;--i)use(v[i]);}}\n", "i>=0", "i > -1"),
		},
		Never: []string{
			"class A {\n  void f(List<Row> rows) {\n    for (int i = 0; i <= rows.size() - 1; i++) {\n      send(rows.get(i));\n    }\n  }\n}\n",
			"class A {\n  void f(int n) {\n    for (int i = 0; i < n; i++) {\n      send(i);\n    }\n  }\n}\n",
		},
	}
}

package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// firstElementSkipped ends a loop that runs backwards before the element with index 0.
func firstElementSkipped() plant.Operator {
	return plant.Operator{
		Name: "java/first-element-skipped", Language: language, Split: env.Heldout, Category: "off-by-one", CWE: "CWE-193", Severity: "medium", Hint: "for",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for loop := range f.root.Find("for_statement") {
				c := loop.ChildByField("condition")
				if operator(c) == "&&" {
					c = left(c)
				}
				update := loop.ChildByField("update")
				if operator(c) != ">=" || right(c).Text() != "0" || left(c).Kind() != "identifier" || !strings.Contains(update.Text(), "--") || !mentions(loop.ChildByField("body"), left(c).Text()) {
					continue
				}
				sign := c.ChildByField("operator")
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(c, f.text[c.Start():sign.Start()]+">"+f.text[sign.End():c.End()])},
					Description: fmt.Sprintf("the loop of %s counts %s down and stops before 0, so that the element at index 0 is left out", methodName(loop), left(c).Text())})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(List<Row> rows) {\n    for (int i = rows.size() - 1; i >= 0; i--) {\n      send(rows.get(i));\n    }\n  }\n}\n", "i >= 0", "i > 0"),
			sample("class A{int f(int[] v){int s=0;for(int i=v.length-1;i>=0&&s<9;--i)s+=v[i];return s;}}\n", "i>=0", "i>0"),
		},
		Never: []string{
			"class A {\n  void f(List<Row> rows) {\n    for (int i = rows.size() - 1; i > 0; i--) {\n      send(rows.get(i));\n    }\n  }\n}\n",
			"class A {\n  void f(int n) {\n    for (int i = n; i >= 0; i -= 2) {\n      send();\n    }\n    while (n >= 0) n--;\n  }\n}\n",
		},
	}
}

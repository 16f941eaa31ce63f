package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// loopAbandoned leaves a loop where one element was to be skipped: all elements behind it are left out too.
func loopAbandoned() plant.Operator {
	return plant.Operator{
		Name: "java/loop-abandoned", Language: language, Split: env.Heldout, Category: "logic", CWE: "CWE-670", Severity: "high", Hint: "continue",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for c := range f.root.Find("continue_statement") {
				loop := c.Enclosing("enhanced_for_statement", "for_statement", "while_statement", "do_statement")
				test := c.Enclosing("if_statement")
				if c.NumNamed() > 0 || loop.Kind() != "enhanced_for_statement" || !test.Valid() || test.Start() < loop.Start() || c.Enclosing("switch_expression", "switch_statement").Start() > loop.Start() {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(c, "break;")},
					Description: fmt.Sprintf("%s breaks out of the loop over %s when %s holds for one element, so that all later ones are never looked at", methodName(c), short(loop.ChildByField("value").Text()), short(test.ChildByField("condition").Text()))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(List<Row> rows) {\n    for (Row row : rows) {\n      if (row.done()) {\n        continue;\n      }\n      send(row);\n    }\n  }\n}\n", "continue;", "break;"),
			sample("class A{int f(int[] v){int s=0;for(var x:v){if(x<0)continue ;s+=x;}return s;}}\n", "continue ;", "break;"),
		},
		Never: []string{
			"class A {\n  void f(List<Row> rows) {\n    for (Row row : rows) {\n      if (row.last()) {\n        break;\n      }\n    }\n  }\n}\n",
			"class A {\n  void f(Queue<Row> rows) {\n    while (true) {\n      if (rows.isEmpty()) {\n        continue;\n      }\n      send(rows.poll());\n    }\n  }\n}\n",
			"class A {\n  void f(List<Row> rows) {\n    outer:\n    for (Row row : rows) {\n      for (Cell c : row.cells()) {\n        if (c.empty()) continue outer;\n      }\n    }\n  }\n}\n",
		},
	}
}

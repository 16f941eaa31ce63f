package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sentinelZero answers 0 where -1 said that there is nothing. A caller in another file asks for numbers below 0, and now
// takes nothing for a result.
func sentinelZero() plant.Operator {
	return plant.Operator{
		Name: "java/sentinel-zero", Language: language, Split: env.Heldout, Category: "logic", CWE: "CWE-394", Severity: "medium", CrossFile: true, Hint: "-1",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for n := range f.root.Find("unary_expression") {
				m := method(n)
				r := n.Enclosing("return_statement")
				up := n.Parent()
				if strings.ReplaceAll(n.Text(), "L", "") != "-1" || m.Kind() != "method_declaration" || method(r) != m || up != r && (up.Kind() != "ternary_expression" || up.Parent() != r) || m.ChildByField("type").Kind() != "integral_type" {
					continue
				}
				for _, u := range f.callers(m) {
					if !asksBelowZero(u.call) {
						continue
					}
					text := f.text[r.Start():n.Start()] + "0" + f.text[n.End():r.End()]
					found = append(found, plant.Site{Edits: []plant.Edit{f.replace(r, text)},
						Description: fmt.Sprintf("%s.%s answers 0 instead of -1 when there is nothing, and %s in %s asks for a negative number to tell", className(m), m.ChildByField("name").Text(), methodName(u.call), fileName(u.path))})
					break
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Rows.java": "class Rows {\n  int position(String k) {\n    return rows.isEmpty() ? -1 : find(k);\n  }\n}\n",
				"src/Use.java":  "class Use {\n  private final Rows rows;\n  void f(String k) {\n    int at = rows.position(k);\n    if (at < 0) {\n      return;\n    }\n    go(at);\n  }\n}\n",
			}, "src/Rows.java", "-1", "0"),
			among(map[string]string{
				"Rows.java": "class Rows{long last(){for(Row r:rows)return r.at();return -1L;}}\n",
				"Use.java":  "class Use{boolean f(Rows r){return r.last()==-1;}}\n",
			}, "Rows.java", "-1L", "0"),
		},
		Never: []string{
			"class A {\n  int position(String k) {\n    return -1;\n  }\n  boolean f(A a) {\n    return a.position(\"k\") < 0;\n  }\n}\n",
			"class A {\n  int step() {\n    return 3 * -1;\n  }\n}\n",
		},
	}
}

// asksBelowZero says whether a call's number is compared with 0 or -1.
func asksBelowZero(call syntax.Node) bool {
	test := func(b syntax.Node) bool {
		switch operator(b) + right(b).Text() {
		case "<0", ">=0", "==-1", "!=-1", "==-1L", "!=-1L":
			return true
		}
		return false
	}
	up := call.Parent()
	if test(up) && left(up) == call {
		return true
	}
	name := up.ChildByField("name").Text()
	if up.Kind() != "variable_declarator" {
		return false
	}
	for b := range method(call).Find("binary_expression") {
		if left(b).Text() == name && test(b) {
			return true
		}
	}
	return false
}

package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// windowEnd makes a range include its end. A caller in another file asks for ranges that follow one another, each from
// where the last one ended: what lies on a border is now counted twice.
func windowEnd() plant.Operator {
	ends := regexp.MustCompile(`(?i)^(to|until|end|before|upper|high)([A-Z]\w*)?$`)
	return plant.Operator{
		Name: "java/window-end-included", Language: language, Split: env.Heldout, Category: "comparison", CWE: "CWE-193", Severity: "medium", CrossFile: true, Hint: "<",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for m := range f.root.Find("method_declaration") {
				params := children(m.ChildByField("parameters"))
				if len(params) < 2 {
					continue
				}
				end := params[len(params)-1].ChildByField("name").Text()
				if !ends.MatchString(end) {
					continue
				}
				for b := range m.ChildByField("body").Find("binary_expression") {
					if operator(b) != "<" || right(b).Text() != end {
						continue
					}
					for _, u := range f.callers(m) {
						if !follows(u.call) {
							continue
						}
						sign := b.ChildByField("operator")
						found = append(found, plant.Site{Edits: []plant.Edit{f.replace(b, f.text[b.Start():sign.Start()]+"<="+f.text[sign.End():b.End()])},
							Description: fmt.Sprintf("%s.%s includes %s, and %s in %s asks for ranges that follow one another: what lies on a border counts twice", className(m), m.ChildByField("name").Text(), end, methodName(u.call), fileName(u.path))})
						break
					}
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Rows.java": "class Rows {\n  int count(long from, long until) {\n    int n = 0;\n    for (Row r : rows) {\n      if (r.at() >= from && r.at() < until) {\n        n++;\n      }\n    }\n    return n;\n  }\n}\n",
				"src/Use.java":  "class Use {\n  private final Rows rows;\n  void f(long start) {\n    long from = start;\n    for (int i = 0; i < 9; i++) {\n      long end = from + 60;\n      use(rows.count(from, end));\n      from = end;\n    }\n  }\n}\n",
			}, "src/Rows.java", "r.at() < until", "r.at() <= until"),
			among(map[string]string{
				"Rows.java": "class Rows{boolean any(int a,int toRow){for(int r:rows)if(r>=a&&r<toRow)return true;return false;}}\n",
				"Use.java":  "class Use{void f(Rows rows,int n){int at=0;while(at<n){int stop=at+8;rows.any(at,stop);at=stop;}}}\n",
			}, "Rows.java", "r<toRow", "r<=toRow"),
		},
		Never: []string{
			"class A {\n  int count(long from, long until) {\n    return at < until ? 1 : 0;\n  }\n  void f(A a, long from) {\n    long end = from + 1;\n    a.count(from, end);\n    from = end;\n  }\n}\n",
			"class A {\n  int count(long from, long until) {\n    return at <= until ? 1 : 0;\n  }\n}\n",
		},
	}
}

// follows says whether a call's last argument becomes its first one for the next round.
func follows(call syntax.Node) bool {
	as := args(call)
	if len(as) < 2 {
		return false
	}
	from, end := as[len(as)-2].Text(), as[len(as)-1].Text()
	for a := range method(call).Find("assignment_expression") {
		if left(a).Text() == from && right(a).Text() == end {
			return true
		}
	}
	return false
}

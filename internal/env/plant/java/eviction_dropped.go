package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// evictionDropped lets a collection grow without end that used to make room: the process runs out of memory after a
// while, the sooner the more others put in.
func evictionDropped() plant.Operator {
	takes := regexp.MustCompile(`^(remove|poll|clear|pop|evict|drop)`)
	return plant.Operator{
		Name: "java/eviction-dropped", Language: language, Split: env.Heldout, Category: "resource-leak", CWE: "CWE-770", Severity: "medium", Hint: "size()",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for n := range f.root.Find("if_statement", "method_declaration") {
				if n.Kind() == "method_declaration" {
					r := only(n.ChildByField("body"))
					if n.ChildByField("name").Text() == "removeEldestEntry" && r.Kind() == "return_statement" && operator(r.NamedChild(0)) != "" {
						found = append(found, plant.Site{Edits: []plant.Edit{f.replace(r, "return false;")},
							Description: fmt.Sprintf("a map of %s never drops its eldest entry any more and grows with every new key", className(n))})
					}
					continue
				}
				c := bare(n.ChildByField("condition"))
				holder := sized(left(c))
				act := only(n.ChildByField("consequence")).NamedChild(0)
				if operator(c) != ">" && operator(c) != ">=" || holder == "" || right(c).Text() == "0" || n.ChildByField("alternative").Valid() || !takes.MatchString(called(act)) || root(act) != holder {
					continue
				}
				if e, ok := f.drop(n); ok {
					found = append(found, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf("%s adds to %s and never makes room: nothing bounds it by %s any more", methodName(n), holder, short(right(c).Text()))})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(Row r) {\n    rows.addLast(r);\n    if (rows.size() > LIMIT) {\n      rows.removeFirst();\n    }\n  }\n}\n", "\n    if (rows.size() > LIMIT) {\n      rows.removeFirst();\n    }", ""),
			sample("class A{Map<K,V> m=new LinkedHashMap<>(){protected boolean removeEldestEntry(Map.Entry<K,V> e){return size( )>50;}};int n(){return m.size();}}\n", "return size( )>50;", "return false;"),
		},
		Never: []string{
			"class A {\n  void f() {\n    if (rows.size() > 0) {\n      rows.removeFirst();\n    }\n    go();\n  }\n}\n",
			"class A {\n  void f(Row r) {\n    if (rows.size() > LIMIT) {\n      throw new Full();\n    }\n    rows.add(r);\n  }\n}\n",
		},
	}
}

// root is the variable that a chain of calls starts from.
func root(n syntax.Node) string {
	for n.Kind() == "method_invocation" && receiver(n).Valid() {
		n = receiver(n)
	}
	return n.Text()
}

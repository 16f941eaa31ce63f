package java

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// synchronizedDropped takes the lock from a method whose fields other methods of the class touch under it: threads now
// see half-done changes, and lose some.
func synchronizedDropped() plant.Operator {
	return plant.Operator{
		Name: "java/synchronized-dropped", Language: language, Split: env.Train, Category: "concurrency", CWE: "CWE-362", Severity: "high", Hint: "synchronized",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for m := range f.root.Find("method_declaration") {
				if !modifier(m, "synchronized") || modifier(m, "static") {
					continue
				}
				name := guarded(m)
				if name == "" || glance(m) {
					continue
				}
				words := m.NamedChild(0)
				var kept []string
				for _, w := range strings.Fields(words.Text()) {
					if w != "synchronized" {
						kept = append(kept, w)
					}
				}
				end := m.ChildByField("name").End()
				rest := strings.TrimLeft(f.text[words.End():end], " ")
				if len(kept) > 0 {
					rest = strings.Join(kept, " ") + " " + rest
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.edit(m.Start(), end, rest)},
					Description: fmt.Sprintf("%s.%s is not synchronized, while other methods of the class touch %s under the lock", className(m), m.ChildByField("name").Text(), name)})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  private int n;\n  public synchronized void add() {\n    n++;\n  }\n  synchronized int get() {\n    return n;\n  }\n}\n", "public synchronized void add", "public void add"),
			sample("class A{Map<String,Row> m=new HashMap<>();\nsynchronized  <T> Row take(String k){return m.remove(k);}\nfinal synchronized void put(String k,Row r){m.put(k,r);}}\n", "synchronized  <T> Row take", "<T> Row take"),
		},
		Never: []string{
			"class A {\n  private int n;\n  public synchronized void add() {\n    n++;\n  }\n  int get() {\n    return n;\n  }\n}\n",
			"class A {\n  private final Map<String, Row> m = new HashMap<>();\n  synchronized int size() {\n    return m.size();\n  }\n  void put(Row r) {\n    synchronized (this) {\n      m.put(r.key(), r);\n    }\n  }\n}\n",
			"class A {\n  private final int n = 3;\n  synchronized int get() {\n    return n;\n  }\n  synchronized int twice() {\n    return n * 2;\n  }\n}\n",
		},
	}
}

// glance says whether a method only looks at a value or a size: without the lock it may see an old one, and no more.
func glance(m syntax.Node) bool {
	body := children(m.ChildByField("body"))
	if len(body) != 1 || body[0].Kind() != "return_statement" {
		return false
	}
	value := body[0].NamedChild(0)
	return value.Kind() == "identifier" || slices.Contains([]string{"size", "isEmpty"}, called(value))
}

// guarded is a field that changes and that both this method and another synchronized one use.
func guarded(m syntax.Node) string {
	c := class(m)
	for d := range c.ChildByField("body").NamedChildren() {
		if d.Kind() != "field_declaration" || modifier(d, "static") {
			continue
		}
		name := d.ChildByField("declarator").ChildByField("name").Text()
		if modifier(d, "final") && !strings.Contains(d.ChildByField("type").Text(), "<") || !mentions(m.ChildByField("body"), name) {
			continue
		}
		for o := range c.ChildByField("body").NamedChildren() {
			if o.Kind() == "method_declaration" && o != m && modifier(o, "synchronized") && mentions(o.ChildByField("body"), name) {
				return name
			}
		}
	}
	return ""
}

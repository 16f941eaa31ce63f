package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func equalsWithoutHashCode() rule.Rule {
	return rule.Rule{
		ID: "java/equals-without-hashcode", Title: "a class defines equals but not hashCode",
		Category: "api-misuse", CWE: "CWE-581", Severity: "medium", Confidence: 0.88,
		Languages: []string{"java"},
		Explanation: "Equal objects must have equal hash codes. With Object's own hashCode two equal instances land in different buckets: a HashMap does not find the key it holds " +
			"and a HashSet keeps duplicates.",
		Suggestion: "Define hashCode from the same fields: return Objects.hash(a, b).",
		Bad: []rule.Sample{
			{Source: "class Point {\n  int x, y;\n  @Override public boolean equals(Object o) {\n    return o instanceof Point && ((Point) o).x == x && ((Point) o).y == y;\n  }\n}\n"},
			{Source: "final class Key implements Comparable<Key> {\n  String name;\n  public boolean equals(Object other) {\n    return other instanceof Key k && k.name.equals(name);\n  }\n  public int compareTo(Key o) { return name.compareTo(o.name); }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Point {\n  int x;\n  public boolean equals(Object o) { return o instanceof Point && ((Point) o).x == x; }\n  public int hashCode() { return x; }\n}\n"},
			{Source: "class Point3 extends Point {\n  int z;\n  public boolean equals(Object o) { return super.equals(o) && ((Point3) o).z == z; }\n}\n"},
			{Source: "class Point {\n  boolean equals(Point a, Point b) { return a.x == b.x; }\n}\n"},
			{Source: "class Point {\n  public boolean equals(Object o) { return this == o; }\n}\n"},
			{Source: "class Entry {\n  public boolean equals(Object o) { return inner.equals(o); }\n}\n"},
			{Source: "class ByName implements Comparator<User> {\n  public boolean equals(Object o) { return o instanceof ByName; }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for class := range p.Nodes("class_declaration") {
				if class.ChildByField("superclass").Valid() || strings.Contains(class.NamedChild(0).Text(), "EqualsAndHashCode") || strings.Contains(class.NamedChild(0).Text(), "@Data") ||
					strings.Contains(class.ChildByField("interfaces").Text(), "Comparator") {
					continue
				}
				var equals syntax.Node
				hash := false
				for m := range class.ChildByField("body").NamedChildren() {
					if m.Kind() != "method_declaration" {
						continue
					}
					params := p.Parameters(m)
					switch m.ChildByField("name").Text() {
					case "equals":
						if len(params) == 1 && strings.TrimPrefix(params[0].ChildByField("type").Text(), "java.lang.") == "Object" {
							equals = m
						}
					case "hashCode":
						hash = hash || len(params) == 0
					}
				}
				if !equals.Valid() || hash || !equals.ChildByField("body").Valid() {
					continue
				}
				// Identity and refusal agree with Object.hashCode.
				body := statements(equals.ChildByField("body"))
				if len(body) == 0 || strings.Contains(body[len(body)-1].Text(), "super.equals") {
					continue
				}
				if only := body[0].Text(); len(body) == 1 && !strings.Contains(only, "instanceof") && !strings.Contains(only, "getClass") {
					continue
				}
				p.Report(equals, "class "+class.ChildByField("name").Text())
			}
		},
	}
}

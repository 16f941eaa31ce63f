package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func doubleCheckedLocking() rule.Rule {
	immutable := []string{"String", "Integer", "Long", "Boolean", "int", "boolean", "short", "byte", "char", "float"}
	return rule.Rule{
		ID: "java/double-checked-locking", Title: "double-checked locking on a field that is not volatile",
		Category: "concurrency", CWE: "CWE-609", Severity: "medium", Confidence: 0.9,
		Languages: []string{"java"},
		Explanation: "Without volatile another thread may see the reference before it sees what the constructor wrote, passes the unlocked test and uses a half-built " +
			"object.",
		Suggestion: "Declare the field volatile, or use the holder-class idiom or an enum.",
		Bad: []rule.Sample{
			{Source: "class Pool {\n  private static Pool instance;\n  static Pool get() {\n    if (instance == null) {\n      synchronized (Pool.class) {\n        if (instance == null) {\n          instance = new Pool();\n        }\n      }\n    }\n    return instance;\n  }\n}\n"},
			{Source: "class Cache {\n  private Map<String, String> map;\n  Map<String, String> map() {\n    if (null == this.map) {\n      synchronized (this) {\n        if (this.map == null) this.map = load();\n      }\n    }\n    return map;\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Pool {\n  private static volatile Pool instance;\n  static Pool get() {\n    if (instance == null) {\n      synchronized (Pool.class) {\n        if (instance == null) instance = new Pool();\n      }\n    }\n    return instance;\n  }\n}\n"},
			{Source: "class Pool {\n  private static Pool instance;\n  static synchronized Pool get() {\n    if (instance == null) instance = new Pool();\n    return instance;\n  }\n}\n"},
			{Source: "class Pool {\n  private static Pool instance;\n  static Pool get() {\n    synchronized (Pool.class) {\n      if (instance == null) instance = new Pool();\n      return instance;\n    }\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for outer := range p.Nodes("if_statement") {
				name := comparedWithNull(outer)
				if name == "" {
					continue
				}
				if _, local := declaredIn(outermost(p, outer), name); local {
					continue
				}
				d := field(p.Class(outer), name)
				if !d.Valid() || hasModifier(d, "volatile") || slices.Contains(immutable, d.ChildByField("type").Text()) {
					continue
				}
				body := outer.ChildByField("consequence")
				list := statements(body)
				if len(list) == 0 || list[0].Kind() != "synchronized_statement" {
					continue
				}
				for inner := range list[0].Find("if_statement") {
					if comparedWithNull(inner) != name || outermost(p, inner) != outermost(p, outer) {
						continue
					}
					for a := range inner.Find("assignment_expression") {
						if strings.TrimPrefix(a.ChildByField("left").Text(), "this.") == name {
							p.Report(outer, name)
						}
					}
				}
			}
		},
	}
}

// comparedWithNull is the name x in if (x == null), "" for another condition.
func comparedWithNull(n syntax.Node) string {
	c := bare(n.ChildByField("condition"))
	if c.Kind() != "binary_expression" || c.ChildByField("operator").Text() != "==" {
		return ""
	}
	left, right := c.ChildByField("left"), c.ChildByField("right")
	if left.Kind() == "null_literal" {
		left, right = right, left
	}
	if right.Kind() != "null_literal" || left.Kind() != "identifier" && left.Kind() != "field_access" {
		return ""
	}
	name := strings.TrimPrefix(left.Text(), "this.")
	if strings.Contains(name, ".") {
		return ""
	}
	return name
}

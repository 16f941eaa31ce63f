package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) DoubleCheckedLocking(p *rule.Pass) {
	immutable := []string{"String", "Integer", "Long", "Boolean", "int", "boolean", "short", "byte", "char", "float"}
	for _, outer := range p.Nodes("if_statement") {
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
		list := body.Statements()
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
}

// comparedWithNull is the name x in if (x == null), "" for another condition.
func comparedWithNull(n rule.Node) string {
	c := rule.Bare(n.ChildByField("condition"))
	if c.Kind() != "binary_expression" || c.Operator() != "==" {
		return ""
	}
	left, right := c.ChildByField("left"), c.ChildByField("right")
	if left.Kind() == "null_literal" {
		left, right = right, left
	}
	name := strings.TrimPrefix(left.Text(), "this.")
	if !right.Is("null_literal") || !left.Is("identifier", "field_access") || strings.Contains(name, ".") {
		return ""
	}
	return name
}

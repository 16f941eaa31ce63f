package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// NilMapWrite looks for a map that is declared without a value and written
// before anything could have made it.
func (*checks) NilMapWrite(p *rule.Pass) {
	for _, spec := range p.Nodes("var_spec") {
		fn := p.Function(spec)
		if !fn.Valid() || spec.ChildByField("type").Kind() != "map_type" || spec.ChildByField("value").Valid() {
			continue
		}
		for _, c := range specNames(spec) {
			if w := firstWrite(spec, c.Text()); w.Valid() {
				p.Report(w, "")
			}
		}
	}
}

// firstWrite gives the first use of the map called name in the block of its
// declaration when that use, in source order, is a write by index and nothing
// in the block ever gives name a value or takes its address.
func firstWrite(spec rule.Node, name string) rule.Node {
	block := spec.Enclosing("block")
	var write rule.Node
	ok := true
	block.Walk(func(n rule.Node) bool {
		if !ok || n.Kind() != "identifier" || n.Text() != name || n.Parent() == spec {
			return ok
		}
		parent := n.Parent()
		if parent.Kind() == "expression_list" && parent.Field() == "left" ||
			parent.Kind() == "unary_expression" && parent.Operator() == "&" || parent.Kind() == "var_spec" {
			ok = false
			return false
		}
		if parent.Kind() == "index_expression" && n.Field() == "operand" && !write.Valid() {
			outer := parent.Parent()
			if outer.Is("inc_statement") || outer.Is("expression_list") && outer.Field() == "left" && outer.Parent().Is("assignment_statement") {
				write = parent
			}
		}
		return true
	})
	if !ok {
		return rule.Node{}
	}
	return write
}

package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// DeferInLoop looks for resources whose release is put off to the end of the
// function by every turn of a loop.
func (*checks) DeferInLoop(p *rule.Pass) {
	p.ReportWhere(p.Nodes("defer_statement"), func(d rule.Node) bool {
		loop := d.Enclosing("for_statement", "func_literal", "function_declaration", "method_declaration")
		if loop.Kind() != "for_statement" || endsFunction(d) || !manyTurns(loop) {
			return false
		}
		x, name := method(d.NamedChild(0))
		return name == "Close" && x.Is("identifier") && openedIn(loop, x.Text()) && !kept(loop, x.Text()) || rule.OneOf(name, "Unlock", "RUnlock")
	})
}

// openedIn tells whether the loop itself gives name its value by a call.
func openedIn(loop rule.Node, name string) bool {
	return slices.ContainsFunc(values(loop.ChildByField("body"), name), func(v value) bool { return v.expr.Kind() == "call_expression" })
}

// kept tells whether the loop puts name into a list: then it is in use until the function ends.
func kept(loop rule.Node, name string) bool {
	return rule.Any(loop.Find("call_expression"), func(call rule.Node) bool {
		args := call.ChildByField("arguments")
		return call.ChildByField("function").Text() == "append" && args.NumNamed() > 1 &&
			rule.Any(args.NamedChildren(), func(a rule.Node) bool { return a.Text() == name })
	})
}

// manyTurns leaves out loops over a literal list and loops without a condition,
// which usually serve or retry.
func manyTurns(loop rule.Node) bool {
	for c := range loop.NamedChildren() {
		switch c.Kind() {
		case "range_clause":
			return c.ChildByField("right").Kind() != "composite_literal"
		case "for_clause", "binary_expression", "call_expression":
			return true
		}
	}
	return false
}

// endsFunction tells whether the statements after n, up to the loop around it,
// surely leave the function: then the loop has only one such turn.
func endsFunction(n rule.Node) bool {
	for s := n; s.Valid() && s.Kind() != "for_statement"; s = s.Parent() {
		for next := s.NextSibling(); next.Valid(); next = next.NextSibling() {
			if terminates(next) {
				return true
			}
		}
	}
	return false
}

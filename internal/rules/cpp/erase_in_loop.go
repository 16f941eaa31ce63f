package cpp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) EraseInLoop(p *rule.Pass) {
	for _, loop := range p.Nodes("for_statement") {
		name := strings.Trim(loop.ChildByField("update").Text(), "+")
		if name == "" || strings.ContainsAny(name, " ,(-") || !strings.Contains(loop.ChildByField("initializer").Text(), "begin(") {
			continue
		}
		for c := range loop.ChildByField("body").Find("call_expression") {
			statement := c.Parent()
			if p.Method(c) != "erase" || len(p.Args(c)) != 1 || p.Arg(c, 0).Text() != name || !statement.Is("expression_statement") ||
				!strings.Contains(loop.ChildByField("initializer").Text(), strings.TrimSuffix(c.ChildByField("function").Text(), "erase")+"begin(") {
				continue
			}
			if !leaves(loop.ChildByField("body"), statement, name) {
				p.Report(c, name)
			}
		}
	}
}

// leaves tells whether something behind the statement, up to the end of the loop's body, ends the loop or gives the iterator
// a value.
func leaves(body, statement rule.Node, name string) bool {
	for up := statement; up.Valid() && up != body; up = up.Parent() {
		for next := up.NextSibling(); next.Valid(); next = next.NextSibling() {
			if rule.Within(next, func(n rule.Node) bool {
				return rule.OneOf(n.Kind(), "break_statement", "return_statement", "goto_statement", "throw_statement") ||
					n.Is("assignment_expression") && n.ChildByField("left").Text() == name
			}) {
				return true
			}
		}
	}
	return false
}

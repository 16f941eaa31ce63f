package golang

import "github.com/deeprepo/deeprepo/internal/syntax"

// HostCheckDropped takes out the check that an address leads to a host that is allowed.
func (*operators) HostCheckDropped(s *source) {
	for _, g := range s.guards() {
		address := hostOf(g.condition)
		if address == "" || !g.fails() {
			continue
		}
		s.reportWithout(g,
			"%s no longer checks the host of %s, so requests can be sent to any address, inside the network too.", nameOf(function(g.test)), address)
	}
}

// hostOf is the address whose host a condition looks for in a list or a map, "" when it does not.
func hostOf(condition syntax.Node) string {
	found := ""
	condition.Walk(func(n syntax.Node) bool {
		name := n.ChildByField("field").Text()
		if n.Kind() == "selector_expression" && (name == "Host" || name == "Hostname") {
			for up := n.Parent(); up.Valid() && up.Start() >= condition.Start(); up = up.Parent() {
				if k := up.Kind(); k == "index_expression" || k == "argument_list" && up.NumNamed() > 0 && up.Parent().ChildByField("function") != n {
					found = n.ChildByField("operand").Text()
				}
			}
		}
		return true
	})
	return found
}

package golang

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// HostCheckDropped takes out the check that an address leads to a host that is allowed.
func (operators) HostCheckDropped(s *source) []plant.Site {
	var out []plant.Site
	for _, g := range s.guards() {
		address := hostOf(g.condition)
		if address == "" || !g.fails() {
			continue
		}
		edits, ok := s.without(g)
		if !ok {
			continue
		}
		out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
			"%s no longer checks the host of %s, so requests can be sent to any address, inside the network too.", nameOf(function(g.test)), address)})
	}
	return out
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

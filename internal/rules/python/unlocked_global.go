package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnlockedGlobal(p *rule.Pass) {
	several := map[string]bool{}
	for _, call := range callsTo(p, "threading.Thread") {
		if call.Enclosing("for_statement", "while_statement", "list_comprehension", "generator_expression").Valid() {
			several[p.Keyword(call, "target").Text()] = true
		}
	}
	for _, fn := range p.Nodes("function_definition") {
		if !several[fn.ChildByField("name").Text()] || strings.Contains(fn.Text(), ".acquire(") {
			continue
		}
		for g := range fn.Find("global_statement") {
			for n := range fn.Find("augmented_assignment", "assignment") {
				left := n.ChildByField("left")
				if n.Kind() == "assignment" && !adds(left.Text(), n.ChildByField("right").Text()) || !slices.Contains(p.Names(g), left.Text()) {
					continue
				}
				if !n.Enclosing("with_statement").Valid() {
					p.Report(n, "")
				}
			}
		}
	}
}

func adds(name, value string) bool {
	return strings.HasPrefix(value, name+" + ") || strings.HasPrefix(value, name+" - ")
}

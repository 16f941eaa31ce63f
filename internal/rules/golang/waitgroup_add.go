package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WaitGroupAdd looks for Add inside the goroutine it should announce.
func (*checks) WaitGroupAdd(p *rule.Pass) {
	p.ReportWhere(p.Nodes("call_expression"), func(call rule.Node) bool {
		x, name := method(call)
		if name != "Add" || x.Kind() != "identifier" || call.Parent().Kind() != "expression_statement" {
			return false
		}
		fn := p.Function(call)
		started := fn.Kind() == "func_literal" && fn.Parent().Kind() == "call_expression" && fn.Parent().Parent().Kind() == "go_statement"
		if !started || len(values(fn, x.Text())) > 0 || declaredType(fn, x.Text()) != "" {
			return false
		}
		done := rule.Any(fn.Find("call_expression"), func(c rule.Node) bool {
			y, m := method(c)
			return m == "Done" && y.Text() == x.Text() && p.Function(c) == fn
		})
		outer := p.Function(fn)
		return done && outer.Valid() && isWaitGroup(p, outer, x.Text()) && !addedBefore(p, fn, x.Text())
	})
}

// addedBefore tells whether an Add outside of the goroutine fn already keeps
// the counter up: then fn may add more while it runs.
func addedBefore(p *rule.Pass, fn rule.Node, wg string) bool {
	return slices.ContainsFunc(p.Calls(), func(call rule.Node) bool {
		x, name := method(call)
		return name == "Add" && x.Text() == wg && call.Start() < fn.Start()
	})
}

package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) DirectoryListing(p *rule.Pass) {
	p.ReportWhere(callsTo(p, "serve-index", "", "default"), func(call rule.Node) bool { return !inCondition(call) })
	for _, call := range p.Calls() {
		if list := property(p, p.Arg(call, 1), "list"); callOf(p, call) == "@fastify/static" && list.Text() == "true" {
			p.Report(call, "")
		}
	}
}

// callOf is the module that a call of register() takes in.
func callOf(p *rule.Pass, call rule.Node) string {
	if _, name := method(call); name != "register" {
		return ""
	}
	b, _ := resolve(p, p.Arg(call, 0))
	return b.module
}

// inCondition tells whether a condition decides that a statement runs.
func inCondition(n rule.Node) bool {
	return n.Enclosing("if_statement", "ternary_expression").Valid() || rule.Any(rule.Around(n, "binary_expression"), func(b rule.Node) bool {
		return rule.OneOf(b.Operator(), "&&", "||", "??")
	})
}

package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CodeInjection(p *rule.Pass) {
	flow := remoteFlow(p)
	for _, call := range p.CallsTo("eval", "exec") {
		if flow.Tainted(p.Arg(call, 0)) {
			p.Report(call, "")
		}
	}
}

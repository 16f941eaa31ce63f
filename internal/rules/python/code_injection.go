package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CodeInjection(p *rule.Pass) {
	flow := remoteFlow(p)
	for _, call := range p.Calls() {
		if name := p.Callee(call); (name == "eval" || name == "exec") && flow.Tainted(p.Arg(call, 0)) {
			p.Report(call, "")
		}
	}
}

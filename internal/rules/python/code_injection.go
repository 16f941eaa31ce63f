package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CodeInjection(p *rule.Pass) {
	flow := remoteFlow(p)
	p.ReportWhere(p.CallsTo("eval", "exec"), func(call rule.Node) bool { return flow.Tainted(p.Arg(call, 0)) })
}

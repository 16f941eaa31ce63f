package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CommandInjection(p *rule.Pass) { p.ReportFlows("command") }

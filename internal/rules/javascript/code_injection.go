package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CodeInjection(p *rule.Pass) { p.ReportFlows("code", "include") }

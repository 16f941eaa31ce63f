package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) XSS(p *rule.Pass) { p.ReportFlows("xss") }

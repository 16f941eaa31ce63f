package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) SSRF(p *rule.Pass) { p.ReportFlows("ssrf") }

package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) OpenRedirect(p *rule.Pass) { p.ReportFlows("redirect") }

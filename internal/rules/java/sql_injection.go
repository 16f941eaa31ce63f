package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) SQLInjection(p *rule.Pass) { p.ReportFlows("sql") }

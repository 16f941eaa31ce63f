package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) NoSQLInjection(p *rule.Pass) { p.ReportFlows("nosql") }

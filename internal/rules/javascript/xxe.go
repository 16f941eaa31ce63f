package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) XXE(p *rule.Pass) { p.ReportFlows("xml") }

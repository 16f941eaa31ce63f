package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) RegexFromInput(p *rule.Pass) { p.ReportFlows("regex") }

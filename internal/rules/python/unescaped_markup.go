package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) UnescapedMarkup(p *rule.Pass) { p.ReportFlows("xss") }

package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) Redos(p *rule.Pass) { p.ReportRedos() }

package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) FileInclusion(p *rule.Pass) { p.ReportFlows("include") }

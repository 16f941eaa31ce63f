package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ReflectedXSS(p *rule.Pass) { p.ReportFlows("xss") }

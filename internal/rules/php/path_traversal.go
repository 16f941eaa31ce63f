package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) PathTraversal(p *rule.Pass) { p.ReportFlows("path") }

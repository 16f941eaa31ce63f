package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) UnsafeDeserialization(p *rule.Pass) { p.ReportFlows("deserialization") }

package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) HardCodedSecret(p *rule.Pass) {
	rule.CheckSecrets(p)
	for _, call := range p.CallsTo("define") {
		name, _, _ := p.String(p.Arg(call, 0))
		if v, holes, ok := p.String(p.Arg(call, 1)); ok && !holes && rule.Secret(name, v) {
			p.Report(call, "value of "+name)
		}
	}
}

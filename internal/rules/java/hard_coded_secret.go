package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) HardCodedSecret(p *rule.Pass) { rule.CheckSecrets(p) }

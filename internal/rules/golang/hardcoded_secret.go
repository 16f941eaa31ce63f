package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) HardcodedSecret(p *rule.Pass) { rule.CheckSecrets(p) }

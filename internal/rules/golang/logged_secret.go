package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) LoggedSecret(p *rule.Pass) { rule.CheckLoggedSecrets(p) }

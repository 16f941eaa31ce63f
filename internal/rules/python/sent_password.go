package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) SentPassword(p *rule.Pass) { rule.CheckSentPasswords(p) }

package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) PlainPassword(p *rule.Pass) { rule.CheckPlainPasswords(p) }

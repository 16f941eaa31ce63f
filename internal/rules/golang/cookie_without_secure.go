package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutSecure(p *rule.Pass) { reportCookies(p, "Secure", 2) }

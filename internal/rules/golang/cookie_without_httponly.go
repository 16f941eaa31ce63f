package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutHTTPOnly(p *rule.Pass) { reportCookies(p, "HttpOnly", 1) }

package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutHTTPOnly(p *rule.Pass) {
	reportSettings(p, "False", "SESSION_COOKIE_HTTPONLY", "REMEMBER_COOKIE_HTTPONLY")
	for _, c := range cookies(p) {
		if c.user && (c.httpOnly == off || c.httpOnly == missing && !protectedLater(p, "httponly")) {
			p.Report(c.node, "")
		}
	}
}

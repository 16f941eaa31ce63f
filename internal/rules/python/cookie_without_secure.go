package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutSecure(p *rule.Pass) {
	reportSettings(p, "False", "SESSION_COOKIE_SECURE", "REMEMBER_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "JWT_COOKIE_SECURE")
	for _, c := range cookies(p) {
		if c.secure == off || c.user && c.secure == missing && !protectedLater(p, "secure") {
			p.Report(c.node, "")
		}
	}
	p.ReportWhere(callsTo(p, "starlette.middleware.sessions.SessionMiddleware"), func(call rule.Node) bool {
		return p.Keyword(call, "https_only").Text() == "False"
	})
}

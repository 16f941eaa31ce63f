package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutHTTPOnly(p *rule.Pass) {
	reportCookies(p, "setHttpOnly")
	p.ReportWhere(p.MethodCalls("httpOnly"), func(call rule.Node) bool {
		return p.Arg(call, 0).Text() == "false" && fromResponseCookie(p, call)
	})
}

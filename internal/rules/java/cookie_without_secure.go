package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutSecure(p *rule.Pass) {
	reportCookies(p, "setSecure")
	p.ReportWhere(p.MethodCalls("secure"), func(call rule.Node) bool { // Spring's ResponseCookie.from("id", v).secure(false)
		return p.Arg(call, 0).Text() == "false" && fromResponseCookie(p, call)
	})
}

// fromResponseCookie tells a call in the chain that builds a cookie of Spring by which a user is known.
func fromResponseCookie(p *rule.Pass, call rule.Node) bool {
	for range 12 {
		call = receiver(call)
		if callee(p, call) == "ResponseCookie.from" {
			name, _, ok := p.String(p.Arg(call, 0))
			return rule.UserCookie(name) || !ok && rule.UserCookie(p.Arg(call, 0).Text())
		}
	}
	return false
}

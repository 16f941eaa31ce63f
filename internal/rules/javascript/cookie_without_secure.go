package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CookieWithoutSecure looks for secure: false, which is no condition of the environment, and for sessions of Express that say
// nothing of it.
func (*checks) CookieWithoutSecure(p *rule.Pass) {
	for _, c := range cookies(p) {
		switch v := property(p, c.options, "secure"); {
		case v.Text() == "false" && !securedLater(p):
			p.Report(v.Parent(), "")
		case !v.Valid() && c.complete() && expressSession(p, c) && !securedLater(p):
			p.ReportAs(c.call, "low", "nothing is said of it")
		}
	}
	for _, call := range methodCalls(p, "state") { // hapi
		name, _, _ := p.String(p.Arg(call, 0))
		if v := property(p, p.Arg(call, 1), "isSecure"); v.Text() == "false" && rule.UserCookie(name) {
			p.Report(v.Parent(), "")
		}
	}
}

// expressSession tells a call of the module that keeps sessions for Express, all of whose options stand there.
func expressSession(p *rule.Pass, c cookie) bool {
	if !c.session {
		return false
	}
	_, ok := callTo(p, c.call, "express-session")
	return ok && !rule.Any(p.Arg(c.call, 0).NamedChildren(), func(n rule.Node) bool { return n.Is("spread_element") })
}

// securedLater: sess.cookie.secure = true, where the environment asks for it.
func securedLater(p *rule.Pass) bool {
	return slices.ContainsFunc(p.Nodes("assignment_expression"), func(n rule.Node) bool {
		_, name := member(n.ChildByField("left"))
		return name == "secure"
	})
}

package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var sessionCookie = regexp.MustCompile(`(?i)sess|sid|auth|token|jwt|login|user`)

// InsecureCookie looks for protections that are literally switched off on a
// cookie that carries a session.
func (*checks) InsecureCookie(p *rule.Pass) {
	for _, call := range p.Calls() {
		_, name := method(call)
		switch {
		case name == "cookie" && len(p.Args(call)) == 3:
			s, _, ok := p.String(p.Arg(call, 0))
			if ok && sessionCookie.MatchString(s) && !regexpCSRF.MatchString(s) {
				reportCookie(p, p.Arg(call, 2))
			}
		case call.ChildByField("function").Text() == "session" || call.ChildByField("function").Text() == "expressSession":
			reportCookie(p, property(p, p.Arg(call, 0), "cookie"))
		}
	}
}

var regexpCSRF = regexp.MustCompile(`(?i)csrf|xsrf`)

func reportCookie(p *rule.Pass, options rule.Node) {
	if v := property(p, options, "httpOnly"); v.Text() == "false" {
		p.Report(v.Parent(), "")
	}
}

package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var sessionCookie = regexp.MustCompile(`(?i)sess|sid|auth|token|jwt|login|user`)

// insecureCookie looks for protections that are literally switched off on a
// cookie that carries a session.
func insecureCookie() rule.Rule {
	return rule.Rule{
		ID: "javascript/insecure-cookie", Title: "Session cookie readable by scripts",
		Category: "configuration", CWE: "CWE-1004", Severity: "medium", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "With httpOnly: false any script in the page reads the session cookie, so a single cross-site script hands the session to an attacker.",
		Suggestion:  "Set httpOnly: true, and secure: true with sameSite outside of development.",
		Bad: []rule.Sample{
			{Source: "app.use(session({ secret: process.env.SECRET, cookie: { httpOnly: false } }));\n"},
			{Source: "function login(req, res) {\n  res.cookie('session', id, { httpOnly: false, secure: true });\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "app.use(session({ secret: process.env.SECRET, cookie: { httpOnly: true } }));\n"},
			{Source: "function csrf(req, res) {\n  res.cookie('XSRF-TOKEN'.toLowerCase(), req.csrf(), { httpOnly: false });\n}\n"},
			{Source: "function theme(req, res) {\n  res.cookie('theme', 'dark', { httpOnly: false });\n}\n"},
		},
		Check: func(p *rule.Pass) {
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
		},
	}
}

var regexpCSRF = regexp.MustCompile(`(?i)csrf|xsrf`)

func reportCookie(p *rule.Pass, options syntax.Node) {
	if v := property(p, options, "httpOnly"); v.Text() == "false" {
		p.Report(v.Parent(), "")
	}
}

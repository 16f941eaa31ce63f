package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func hardcodedSecret() rule.Rule {
	return rule.Rule{
		ID: "javascript/hardcoded-secret", Title: "Credential written into the source",
		Category: "secrets", CWE: "CWE-798", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "Everyone who can read the repository, its history, a bundle or a build log has this credential, and changing it needs a release.",
		Suggestion:  "Read it from the environment or a secret store, and revoke the one that was committed.",
		Bad: []rule.Sample{
			{Source: "const apiKey = '9f8a7c6b5d4e3f2a1b0c9d8e7f6a5b4c';\n"},
			{Source: "module.exports = { host: 'db', password: 'Tr0ub4dor&3x' };\n"},
			{Source: "app.use(session({ secret: 'keyboard cat', resave: false }));\n"},
			{Source: "const jwt = require('jsonwebtoken');\n\nconst issue = (user) => jwt.sign({ id: user.id }, 'k3yb0ard-cat-1947');\n"},
		},
		Good: []rule.Sample{
			{Source: "const apiKey = process.env.API_KEY;\n"},
			{Source: "const schema = { password: 'password-input', token: 'string' };\n"},
			{Source: "const password = 'changeme';\n"},
			{Source: "const jwt = require('jsonwebtoken');\n\nconst issue = (user, key) => jwt.sign({ id: user.id }, key);\n"},
		},
		Check: func(p *rule.Pass) {
			rule.CheckSecrets(p)
			for _, call := range p.Calls() {
				if f := call.ChildByField("function").Text(); f == "session" || f == "expressSession" || f == "cookieSession" {
					secret := property(p, p.Arg(call, 0), "secret")
					if s, holes, ok := p.String(secret); ok && !holes && s != "" {
						p.Report(secret, "signing key of the session cookie")
					}
				}
				if _, ok := callTo(p, call, "jsonwebtoken", "sign", "verify"); !ok {
					continue
				}
				if s, holes, ok := p.String(p.Arg(call, 1)); ok && !holes && s != "" {
					p.Report(p.Arg(call, 1), "signing key of a token")
				}
			}
		},
	}
}

package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// jwtUnverified looks for tokens that are believed without their signature.
func jwtUnverified() rule.Rule {
	return rule.Rule{
		ID: "javascript/jwt-unverified", Title: "Token accepted without checking its signature",
		Category: "auth", CWE: "CWE-347", Severity: "critical", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "Anyone can write a token that says they are the administrator; only the signature tells it from a real one, and it is not looked at here.",
		Suggestion:  "Call jwt.verify(token, key, { algorithms: ['HS256'] }) with the algorithm in use, and take the user from its result.",
		Bad: []rule.Sample{
			{Source: "const jwt = require('jsonwebtoken');\n\nfunction auth(req, res, next) {\n  const claims = jwt.decode(req.headers.authorization);\n  req.user = claims;\n  next();\n}\n"},
			{Source: "import jwt from 'jsonwebtoken';\n\nexport const check = (token, key) => jwt.verify(token, key, { algorithms: ['HS256', 'none'] });\n"},
		},
		Good: []rule.Sample{
			{Source: "const jwt = require('jsonwebtoken');\n\nfunction auth(req, res, next) {\n  req.user = jwt.verify(req.headers.authorization, process.env.KEY, { algorithms: ['HS256'] });\n  next();\n}\n"},
			{Source: "const jwt = require('jsonwebtoken');\n\nasync function auth(req, res, next) {\n  const { header } = jwt.decode(req.headers.authorization, { complete: true });\n  req.user = jwt.verify(req.headers.authorization, await keyOf(header.kid), { algorithms: ['RS256'] });\n  next();\n}\n"},
			{Source: "import jwt from 'jsonwebtoken';\n\nexport const expires = (token) => jwt.decode(token).exp;\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if _, ok := callTo(p, call, "jsonwebtoken", "verify"); ok {
					for _, a := range strings.Split(property(p, p.Arg(call, 2), "algorithms").Text(), ",") {
						if strings.EqualFold(strings.Trim(a, " []'\"\n\t"), "none") {
							p.Report(call, "the algorithm none is allowed")
						}
					}
					continue
				}
				if _, ok := callTo(p, call, "jsonwebtoken", "decode"); ok && requestFlow(p).Tainted(p.Arg(call, 0)) && !verifies(p) {
					p.Report(call, "")
				}
			}
		},
	}
}

// verifies tells whether the file verifies tokens anywhere.
func verifies(p *rule.Pass) bool {
	return slices.ContainsFunc(p.Calls(), func(c syntax.Node) bool {
		return rule.LastName(p.Callee(c)) == "verify" || rule.LastName(p.Callee(c)) == "jwtVerify"
	})
}

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func unverifiedToken() rule.Rule {
	return rule.Rule{
		ID: "python/jwt-unverified", Title: "Token is read without checking its signature",
		Category: "auth", CWE: "CWE-347", Severity: "high", Languages: []string{"python"}, Confidence: 0.9,
		Explanation: "Anybody can write such a token with any user and any rights in it.",
		Suggestion:  "Verify with the key and name the allowed algorithms: jwt.decode(token, key, algorithms=[\"HS256\"]).",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import jwt`, `def user(token):`, `    return jwt.decode(token, options={"verify_signature": False})["sub"]`),
			code(`import jwt`, `def user(token):`, `    return jwt.decode(token, KEY, verify=False)`),
			code(`from jose import jwt`, `def user(token):`, `    return jwt.decode(token, KEY, algorithms=["HS256", "none"])`),
		},
		Good: []rule.Sample{
			code(`import jwt`, `def user(token):`, `    return jwt.decode(token, KEY, algorithms=["HS256"])`),
			code(`import jwt`, `def kid(token):`, `    return jwt.get_unverified_header(token)["kid"]`),
			code(`import base64`, `def f(x):`, `    return base64.decode(x, verify=False)`),
			code(`import jwt`, `def user(token):`, `    claims = jwt.decode(token, options={"verify_signature": False})`, `    key = keys[claims["iss"]]`, `    return jwt.decode(token, key, algorithms=["RS256"])`),
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name := callee(p, call)
				if !strings.HasSuffix(name, "jwt.decode") {
					continue
				}
				options := strings.NewReplacer(" ", "", "'", `"`).Replace(p.Keyword(call, "options").Text())
				algorithms := strings.ToLower(p.Keyword(call, "algorithms").Text())
				switch {
				case strings.Contains(algorithms, `"none"`) || strings.Contains(algorithms, `'none'`):
					p.Report(call, "algorithm none is allowed")
				case strings.Contains(options, `"verify_signature":False`) || p.Keyword(call, "verify").Text() == "False":
					again := 0 // peeking into the token before it is verified with the right key is fine
					for other := range p.Scope(call).Find("call") {
						if strings.HasSuffix(callee(p, other), "jwt.decode") {
							again++
						}
					}
					if again < 2 {
						p.Report(call, "")
					}
				}
			}
		},
	}
}

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) JWTUnverified(p *rule.Pass) {
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
}

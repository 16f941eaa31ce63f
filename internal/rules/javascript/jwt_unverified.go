package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// JWTUnverified looks for tokens that are believed without their signature.
func (*checks) JWTUnverified(p *rule.Pass) {
	for _, call := range callsTo(p, "jsonwebtoken", "verify", "decode") {
		if name, _ := callTo(p, call, "jsonwebtoken"); name == "verify" {
			for _, a := range strings.Split(property(p, p.Arg(call, 2), "algorithms").Text(), ",") {
				if strings.EqualFold(strings.Trim(a, " []'\"\n\t"), "none") {
					p.Report(call, "the algorithm none is allowed")
				}
			}
		} else if p.Untrusted(p.Arg(call, 0)) && !verifies(p) {
			p.Report(call, "")
		}
	}
}

// verifies tells whether the file verifies tokens anywhere.
func verifies(p *rule.Pass) bool {
	return slices.ContainsFunc(p.Calls(), func(c rule.Node) bool {
		return rule.LastName(p.Callee(c)) == "verify" || rule.LastName(p.Callee(c)) == "jwtVerify"
	})
}

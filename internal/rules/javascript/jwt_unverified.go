package javascript

import (
	"regexp"
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
		} else if p.Untrusted(p.Arg(call, 0)) && property(p, p.Arg(call, 1), "complete").Text() != "true" && !verifies(p, call) {
			p.Report(call, "")
		}
	}
}

// verifies tells whether a function around the call verifies tokens, or says so of what it calls.
func verifies(p *rule.Pass, call rule.Node) bool {
	known := rule.Memo(p, "javascript.verifying", func() []rule.Node {
		return rule.Where(p.Calls(), func(c rule.Node) bool { return verifying.MatchString(rule.LastName(p.Callee(c))) })
	})
	return slices.ContainsFunc(known, func(c rule.Node) bool {
		return rule.Any(rule.Around(call, functions...), func(fn rule.Node) bool { return rule.Inside(c, fn) })
	})
}

var (
	verifying = regexp.MustCompile(`(?i)verif|authenticat`)
	functions = []string{"function_declaration", "function_expression", "arrow_function", "method_definition"}
)

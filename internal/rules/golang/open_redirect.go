package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// OpenRedirect looks for redirects to an address the client sent.
func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		x, name := method(call)
		var i int
		switch {
		case callTo(p, call, "net/http", "Redirect") && len(args) == 4:
			i = 2
		case name == "Redirect" && len(args) == 2 && strings.HasSuffix(parameterType(p, call, x.Text()), ".Context"):
			i = 1
		default:
			continue
		}
		url := args[i]
		if !requestFlow(p).Tainted(url) || ownPath(p, url) || p.Method(url) == "String" || hostFixed(p, url) ||
			!requestFlow(p).Tainted(operands(url)[0]) {
			continue
		}
		if scope := strings.ToLower(p.Scope(call).Text()); strings.Contains(scope, "hasprefix") || strings.Contains(scope, "valid") ||
			strings.Contains(scope, "allowed") || strings.Contains(scope, "url.parse(") {
			continue
		}
		p.Report(call, "the address is "+rule.FirstLine(url))
	}
}

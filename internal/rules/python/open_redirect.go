package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	flow := inputFlow(p)
	for _, call := range p.Calls() {
		name := rule.LastName(callee(p, call))
		if !rule.OneOf(name, "redirect", "HttpResponseRedirect", "RedirectResponse", "HTTPFound") {
			continue
		}
		to := p.Arg(call, 0)
		if text := to.Text(); !flow.Tainted(to) || strings.Contains(text, ".path") || strings.Contains(text, ".url") ||
			strings.Contains(text, "headers") || strings.Contains(text, "META") {
			continue
		}
		if parts, _ := pieces(p, to); len(parts) > 0 && parts[0].node.Valid() && flow.Tainted(parts[0].node) {
			p.Report(call, "")
		}
	}
}

package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	flow := inputFlow(p)
	for _, call := range p.Calls() {
		name := rule.LastName(callee(p, call))
		if !slices.Contains([]string{"redirect", "HttpResponseRedirect", "RedirectResponse", "HTTPFound"}, name) {
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

package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	flow := inputFlow(p)
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		name := rule.LastName(callee(p, call))
		if !rule.OneOf(name, "redirect", "HttpResponseRedirect", "RedirectResponse", "HTTPFound") {
			return false
		}
		to := p.Arg(call, 0)
		if text := to.Text(); !flow.Tainted(to) || strings.Contains(text, ".path") || strings.Contains(text, ".url") ||
			strings.Contains(text, "headers") || strings.Contains(text, "META") {
			return false
		}
		parts, _ := pieces(p, to)
		return len(parts) > 0 && parts[0].node.Valid() && flow.Tainted(parts[0].node)
	})
}

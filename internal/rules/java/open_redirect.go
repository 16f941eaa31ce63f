package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.MethodCalls("sendRedirect") {
		target := p.Arg(call, 0)
		first := parts(value(p, target))[0]
		// Put together in several steps: how it begins is not known.
		built := first.Is("identifier") && !slices.Contains(p.ParameterNames(outermost(p, first)), first.Text()) ||
			p.Method(first) == "toString"
		if flow := input(p); !built && flow.Tainted(target) && flow.Tainted(first) && !ownPath(p, first) {
			p.Report(call, "")
		}
	}
	for _, r := range p.Nodes("return_statement") {
		pieces := parts(r.NamedChild(0))
		if s, _, ok := p.String(pieces[0]); ok && s == "redirect:" && len(pieces) > 1 && input(p).Tainted(pieces[1]) {
			p.Report(r, "")
		}
	}
}

// ownPath tells whether the text is the address of the request itself.
func ownPath(p *rule.Pass, n rule.Node) bool {
	return rule.OneOf(p.Method(value(p, n)), "getRequestURI", "getRequestURL", "getPathInfo", "getQueryString")
}

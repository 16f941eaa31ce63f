package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	p.ReportWhere(p.MethodCalls("sendRedirect"), func(call rule.Node) bool {
		target := p.Arg(call, 0)
		first := parts(value(p, target))[0]
		// Put together in several steps: how it begins is not known.
		built := first.Is("identifier") && !slices.Contains(p.ParameterNames(outermost(p, first)), first.Text()) ||
			p.Method(first) == "toString"
		flow := input(p)
		return !built && flow.Tainted(target) && flow.Tainted(first) && !ownPath(p, first)
	})
	p.ReportWhere(p.Nodes("return_statement"), func(r rule.Node) bool {
		pieces := parts(r.NamedChild(0))
		s, _, ok := p.String(pieces[0])
		return ok && s == "redirect:" && len(pieces) > 1 && input(p).Tainted(pieces[1])
	})
}

// ownPath tells whether the text is the address of the request itself.
func ownPath(p *rule.Pass, n rule.Node) bool {
	return rule.OneOf(p.Method(value(p, n)), "getRequestURI", "getRequestURL", "getPathInfo", "getQueryString")
}

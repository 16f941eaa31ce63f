package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.Calls() {
		if p.Method(call) == "sendRedirect" {
			target := p.Arg(call, 0)
			first := parts(value(p, target))[0]
			if built := first.Kind() == "identifier" && !isParameter(p, first) || p.Method(first) == "toString"; built {
				continue // put together in several steps: how it begins is not known
			}
			if flow := input(p); flow.Tainted(target) && flow.Tainted(first) && !ownPath(p, first) {
				p.Report(call, "")
			}
		}
	}
	for _, r := range p.Nodes("return_statement") {
		pieces := parts(r.NamedChild(0))
		if s, _, ok := p.String(pieces[0]); ok && s == "redirect:" && len(pieces) > 1 && input(p).Tainted(pieces[1]) {
			p.Report(r, "")
		}
	}
}

// isParameter tells whether n names a parameter of its method.
func isParameter(p *rule.Pass, n rule.Node) bool {
	return slices.Contains(p.ParameterNames(outermost(p, n)), n.Text())
}

// ownPath tells whether the text is the address of the request itself.
func ownPath(p *rule.Pass, n rule.Node) bool {
	m := p.Method(value(p, n))
	return m == "getRequestURI" || m == "getRequestURL" || m == "getPathInfo" || m == "getQueryString"
}

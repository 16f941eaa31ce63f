package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CORSCredentials looks for answers that let every site read with the user's
// cookies.
func (*checks) CORSCredentials(p *rule.Pass) {
	for _, call := range p.Calls() {
		f := call.ChildByField("function")
		if o := p.Arg(call, 0); f.Text() == "cors" && o.Is("object") {
			origin, _, _ := p.String(property(p, o, "origin"))
			if property(p, o, "credentials").Text() == "true" && (property(p, o, "origin").Text() == "true" || origin == "*") {
				p.Report(call, "")
			}
			continue
		}
		if headerName(p, call) == "access-control-allow-origin" && strings.HasSuffix(p.Arg(call, 1).Text(), "headers.origin") &&
			!call.Enclosing("if_statement").Valid() {
			for c := range p.Scope(call).Find("call_expression") {
				if v := strings.Trim(p.Arg(c, 1).Text(), `"'`); headerName(p, c) == "access-control-allow-credentials" && v == "true" {
					p.Report(call, "")
				}
			}
		}
	}
}

// headerName is the lower-case header that call sets.
func headerName(p *rule.Pass, call rule.Node) string {
	_, name := method(call)
	if name != "setHeader" && name != "header" && name != "set" {
		return ""
	}
	s, _, _ := p.String(p.Arg(call, 0))
	return strings.ToLower(s)
}

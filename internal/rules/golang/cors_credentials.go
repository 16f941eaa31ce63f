package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CORSCredentials looks for answers that let every site read with the user's cookies: a function or a pattern that says yes to all origins,
// and the sender's own origin sent back.
func (*checks) CORSCredentials(p *rule.Pass) {
	for _, literal := range p.Nodes("composite_literal") {
		credentials, all := false, rule.Node{}
		for e := range literal.ChildByField("body").NamedChildren() {
			if !e.Is("keyed_element") || e.NumNamed() != 2 {
				continue
			}
			switch v := inner(e.NamedChild(1)); e.NamedChild(0).Text() {
			case "AllowCredentials":
				credentials = v.Text() == "true"
			case "AllowOriginFunc", "AllowOriginRequestFunc", "AllowOriginVaryRequestFunc", "AllowOriginsFunc":
				if body := v.ChildByField("body"); v.Is("func_literal") && strings.Join(strings.Fields(body.Text()), " ") == "{ return true }" {
					all = e
				}
			case "AllowedOrigins", "AllowOrigins":
				if s := v.Text(); strings.Contains(s, `"https://*"`) || strings.Contains(s, `"http://*"`) {
					all = e
				}
			case "UnsafeWildcardOriginWithAllowCredentials":
				if v.Text() == "true" {
					all = e
				}
			}
		}
		if credentials && all.Valid() {
			p.Report(all, "")
		}
	}
	for _, call := range p.MethodCalls("Set", "Add", "Header") {
		if !corsHeader(p, call, "Access-Control-Allow-Origin") {
			continue
		}
		origin := p.Only(p.Scope(call), p.Arg(call, 1))
		if !p.IsCall(origin) || !strings.HasSuffix(origin.Text(), `("Origin")`) ||
			rule.Any(rule.Around(call, "if_statement"), func(up rule.Node) bool {
				return !strings.HasSuffix(up.ChildByField("condition").Text(), `!= ""`)
			}) || call.Enclosing("expression_case").Valid() {
			continue
		}
		if rule.Any(p.Scope(call).Find("call_expression"), func(c rule.Node) bool {
			v, _, _ := p.String(p.Arg(c, 1))
			return v == "true" && corsHeader(p, c, "Access-Control-Allow-Credentials")
		}) {
			p.Report(call, "")
		}
	}
}

// corsHeader tells whether a call sets the header.
func corsHeader(p *rule.Pass, call rule.Node, name string) bool {
	s, _, ok := p.String(p.Arg(call, 0))
	return ok && strings.EqualFold(s, name)
}

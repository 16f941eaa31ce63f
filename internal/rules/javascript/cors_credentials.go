package javascript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CORSCredentials looks for answers that let every site read with the user's
// cookies.
func (*checks) CORSCredentials(p *rule.Pass) {
	for _, call := range p.Calls() {
		if o := corsOptions(p, call); o.Is("object") {
			if property(p, o, "credentials").Text() == "true" && everyOrigin(p, property(p, o, "origin")) {
				p.Report(call, "")
			}
			continue
		}
		if headerName(p, call) == "access-control-allow-origin" && reflects(p, p.Arg(call, 1)) && !call.Enclosing("if_statement").Valid() {
			for c := range p.Scope(call).Find("call_expression") {
				if v := strings.Trim(p.Arg(c, 1).Text(), `"'`); headerName(p, c) == "access-control-allow-credentials" && v == "true" {
					p.Report(call, "")
				}
			}
		}
	}
}

// corsOptions is what the cors module, Nest, Fastify's plugin or a server of Socket.IO is told about origins.
func corsOptions(p *rule.Pass, call rule.Node) rule.Node {
	_, name := method(call)
	switch args := p.Args(call); {
	case len(args) == 0:
	case call.ChildByField("function").Text() == "cors", name == "enableCors":
		return only(p, args[0])
	case rule.OneOf(callOf(p, call), "@fastify/cors", "fastify-cors") && len(args) > 1:
		return only(p, args[1])
	}
	return rule.Node{}
}

// only is what a name is given, if it is given something once.
func only(p *rule.Pass, n rule.Node) rule.Node { return unwrap(p.Only(p.Tree.Root(), n)) }

var allowed = regexp.MustCompile(`^\(?\s*(null|undefined)\s*,\s*true\s*\)$`)

// everyOrigin tells whether an option allows every origin: true, "*", or a function that says yes to all.
func everyOrigin(p *rule.Pass, n rule.Node) bool {
	if s, _, _ := p.String(n); s == "*" || n.Text() == "true" {
		return true
	}
	if !isFunction(n) {
		return false
	}
	body := n.ChildByField("body")
	for body.Is("statement_block", "expression_statement") && body.NumNamed() == 1 {
		body = body.NamedChild(0)
	}
	return body.Is("call_expression") && allowed.MatchString(body.ChildByField("arguments").Text())
}

// reflects tells whether n is the origin that the request names.
func reflects(p *rule.Pass, n rule.Node) bool {
	if n.Is("binary_expression") { // origin || '*'
		n = n.ChildByField("left")
	}
	n = p.Only(p.Scope(n), n)
	if strings.HasSuffix(n.Text(), "headers.origin") {
		return true
	}
	_, name := method(n)
	header, _, _ := p.String(p.Arg(n, 0))
	return rule.OneOf(name, "get", "header") && strings.EqualFold(header, "origin") && p.UserInput(n)
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

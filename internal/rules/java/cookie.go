package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// cookie is one that a method makes and sends.
type cookie struct {
	name  string
	sent  rule.Node              // addCookie(cookie)
	flags map[string][]rule.Node // what setSecure and the like are given
}

// cookies gives the cookies of servlets that are made and sent in one method, and the calls on them.
func cookies(p *rule.Pass) []*cookie {
	return rule.Memo(p, "java.cookies", func() []*cookie {
		type variable struct {
			method rule.Node
			name   string
		}
		by, all := map[variable]*cookie{}, []*cookie(nil)
		for _, n := range p.News() {
			d := n.Parent()
			if callee(p, n) != "Cookie" || !d.Is("variable_declarator", "assignment_expression") {
				continue
			}
			name, _, _ := p.String(value(p, p.Arg(n, 0)))
			if name == "" {
				name = p.Arg(n, 0).Text()
			}
			if text, _, ok := p.String(p.Arg(n, 1)); ok && text == "" || p.Arg(n, 1).Is("null_literal") {
				continue // it is taken back
			}
			key := variable{outermost(p, n), rule.Either(d.ChildByField("name"), d.ChildByField("left")).Text()}
			by[key] = &cookie{name: name, flags: map[string][]rule.Node{}}
			all = append(all, by[key])
		}
		if len(all) == 0 {
			return nil
		}
		for _, call := range p.Calls() {
			switch method := outermost(p, call); call.ChildByField("name").Text() {
			case "addCookie":
				if c := by[variable{method, p.Arg(call, 0).Text()}]; c != nil {
					c.sent = call
				}
			case "setSecure", "setHttpOnly", "setMaxAge":
				if c := by[variable{method, receiver(call).Text()}]; c != nil {
					c.flags[call.ChildByField("name").Text()] = append(c.flags[call.ChildByField("name").Text()], p.Arg(call, 0))
				}
			}
		}
		return all
	})
}

// reportCookies reports the cookies that are sent without a protection: where it is switched off, and where nothing is said of one
// by which a user is known.
func reportCookies(p *rule.Pass, setter string) {
	for _, c := range cookies(p) {
		given := c.flags[setter]
		switch {
		case !c.sent.Valid():
		case len(given) == 0 && rule.UserCookie(c.name):
			if age := c.flags["setMaxAge"]; len(age) == 0 || age[0].Text() != "0" {
				p.Report(c.sent, "")
			}
		case len(given) == 1 && given[0].Text() == "false":
			p.Report(given[0].Parent().Parent(), "")
		}
	}
}

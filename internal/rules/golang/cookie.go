package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// reportCookies reports the cookies by which users are known that do not have a protection: the field of a literal, or the
// argument of gin's SetCookie that is so many from the end.
func reportCookies(p *rule.Pass, field string, fromEnd int) {
	later := slices.ContainsFunc(p.Nodes("assignment_statement"), func(n rule.Node) bool {
		return strings.HasSuffix(n.ChildByField("left").Text(), "."+field)
	})
	for _, literal := range p.Nodes("composite_literal") {
		if rule.OneOf(literal.ChildByField("type").Text(), "http.Cookie", "fiber.Cookie") && !later && bareCookie(p, literal, field) {
			p.Report(literal, "")
		}
	}
	for _, call := range p.MethodCalls("SetCookie") {
		args := p.Args(call)
		if len(args) != 7 || args[7-fromEnd].Text() != "false" || strings.HasPrefix(args[2].Text(), "-") || args[2].Text() == "0" {
			continue
		}
		if v, _, ok := p.String(args[1]); rule.UserCookie(named(p, args[0])) && (!ok || v != "") {
			p.Report(call, "")
		}
	}
}

// bareCookie tells whether a literal makes a cookie by which a user is known, and the field is not set.
func bareCookie(p *rule.Pass, literal rule.Node, field string) bool {
	fields := map[string]rule.Node{}
	for e := range literal.ChildByField("body").NamedChildren() {
		if e.Is("keyed_element") && e.NumNamed() == 2 {
			fields[e.NamedChild(0).Text()] = inner(e.NamedChild(1))
		}
	}
	set := func(name string) rule.Node {
		for k, v := range fields {
			if strings.EqualFold(k, name) { // HTTPOnly is fiber's
				return v
			}
		}
		return rule.Node{}
	}
	v, _, literalValue := p.String(fields["Value"])
	taken := !fields["Value"].Valid() || literalValue && v == "" || strings.HasPrefix(fields["MaxAge"].Text(), "-") ||
		strings.HasPrefix(fields["Expires"].Text(), "time.Unix(0") || strings.HasPrefix(fields["Expires"].Text(), "time.Time{")
	return !taken && rule.UserCookie(named(p, fields["Name"])) && (!set(field).Valid() || set(field).Text() == "false")
}

// inner is the expression of a literal's element.
func inner(n rule.Node) rule.Node {
	if n.Is("literal_element") && n.NumNamed() == 1 {
		return n.NamedChild(0)
	}
	return n
}

// named is the text of a string, or of the name that stands for it.
func named(p *rule.Pass, n rule.Node) string {
	if s, _, ok := p.String(n); ok {
		return s
	}
	return n.Text()
}

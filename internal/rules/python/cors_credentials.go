package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CORSCredentials(p *rule.Pass) {
	p.ReportWhere(callsTo(p, "flask_cors.CORS", "flask_cors.cross_origin"), func(call rule.Node) bool {
		if p.Keyword(call, "supports_credentials").Text() != "True" || p.Keyword(call, "resources").Valid() {
			return false
		}
		origins := p.Keyword(call, "origins")
		return !origins.Valid() && !setsOrigins(p) || anyOrigin(p, origins)
	})
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		return p.Keyword(call, "allow_credentials").Text() == "True" && strings.Contains(call.Text(), "CORSMiddleware") &&
			(anyOrigin(p, p.Keyword(call, "allow_origins")) || anyOrigin(p, p.Keyword(call, "allow_origin_regex")))
	})
	on := map[string]rule.Node{}
	for _, s := range settings(p) {
		if s.value.Text() == "True" {
			on[s.name] = s.node
		}
	}
	for _, name := range []string{"CORS_ORIGIN_ALLOW_ALL", "CORS_ALLOW_ALL_ORIGINS"} {
		if n := on[name]; n.Valid() && on["CORS_ALLOW_CREDENTIALS"].Valid() {
			p.Report(n, "")
		}
	}
	reflected(p)
}

// anyOrigin tells whether n is "*", a list of it, or a pattern that everything matches.
func anyOrigin(p *rule.Pass, n rule.Node) bool {
	n = p.Only(p.Tree.Root(), n)
	if n.Is("list", "tuple", "set") {
		return rule.Any(n.NamedChildren(), func(c rule.Node) bool { return anyOrigin(p, c) })
	}
	s, interpolated, ok := p.String(n)
	return ok && !interpolated && rule.OneOf(s, "*", ".*", "^.*$", "https?://.*")
}

// setsOrigins tells whether the origins are given by Flask's configuration.
func setsOrigins(p *rule.Pass) bool { return strings.Contains(p.Tree.Root().Text(), "CORS_ORIGINS") }

// chosenOrigin tells whether a condition around n looks at the origin.
func chosenOrigin(n rule.Node) bool {
	return rule.Any(rule.Around(n, "if_statement"), func(c rule.Node) bool {
		return !methodAsked.MatchString(c.ChildByField("condition").Text())
	})
}

var methodAsked = regexp.MustCompile(`^request\.method\s*(==|!=|in)[^=]*$|^['"]\w+['"]\s*==\s*request\.method$`)

// reflected reports the answers in which the sender's own origin is allowed, whatever it is, to send cookies.
func reflected(p *rule.Pass) {
	for _, n := range p.Nodes("assignment") {
		target := n.ChildByField("left")
		if !strings.EqualFold(lastWord(target), "access-control-allow-origin") || chosenOrigin(n) {
			continue
		}
		value := p.Only(p.Scope(n), n.ChildByField("right"))
		if !p.UserInput(value) && !p.UserInput(value.ChildByField("left")) || !strings.Contains(strings.ToLower(value.Text()), "origin") {
			continue
		}
		if rule.Any(p.Scope(n).Find("assignment"), func(a rule.Node) bool {
			return strings.EqualFold(lastWord(a.ChildByField("left")), "access-control-allow-credentials") &&
				strings.EqualFold(strings.Trim(a.ChildByField("right").Text(), `"'`), "true")
		}) {
			p.Report(n, "")
		}
	}
}

package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CSRFProtectionOff(p *rule.Pass) {
	reportSettings(p, "False", "WTF_CSRF_ENABLED", "JWT_COOKIE_CSRF_PROTECT")
	for _, s := range settings(p) {
		if rule.OneOf(s.name, "MIDDLEWARE", "MIDDLEWARE_CLASSES") && s.value.Is("list", "tuple") && sessionsWithout(p, s.value) {
			p.Report(s.node.ChildByField("left"), "CsrfViewMiddleware is not in it")
		}
	}
	for _, d := range p.Nodes("decorated_definition") {
		if mark := exempt(p, d); mark.Valid() {
			p.Report(mark, "")
		}
	}
}

// sessionsWithout tells whether the middleware knows users by their sessions, and does not check where a form comes from.
func sessionsWithout(p *rule.Pass, list rule.Node) bool {
	sessions := false
	for c := range list.NamedChildren() {
		s, _, _ := p.String(c)
		if strings.Contains(strings.ToLower(s), "csrf") || c.Is("list_splat", "call") {
			return false
		}
		sessions = sessions || strings.HasSuffix(s, ".AuthenticationMiddleware")
	}
	return sessions
}

var machines = regexp.MustCompile(`(?i)api|hook|callback|oauth|saml|graphql|ipn|rpc|sso|health|csp|unsubscribe|notif|token|stripe|` +
	`paypal|twilio|slack|github|telegram|bot\b|sms|lti|report|receive`)

// accountView matches views that change what belongs to whoever is logged in.
var accountView = regexp.MustCompile(`(?i)^(ch(g|ange)|reset|update|edit|delete|remove|transfer)_?` +
	`(my_?)?(pass|pwd|email|account|profile|money|funds)`)

// exempt is the decorator that lets a view be called from other sites' pages though it knows users by their sessions.
func exempt(p *rule.Pass, d rule.Node) rule.Node {
	fn := d.ChildByField("definition")
	var mark rule.Node
	logged := false
	for c := range d.NamedChildren() {
		if c.Is("decorator") {
			if strings.Contains(c.Text(), "csrf_exempt") {
				mark = c
			}
			logged = logged || strings.Contains(c.Text(), "login_required")
		}
	}
	if !mark.Valid() || !fn.Is("function_definition") || machines.MatchString(p.Path+fn.ChildByField("name").Text()) {
		return rule.Node{}
	}
	logged = logged || accountView.MatchString(fn.ChildByField("name").Text())
	if logged || rule.Any(fn.ChildByField("body").Find("attribute"), func(n rule.Node) bool {
		return rule.OneOf(n.Text(), "request.user", "request.session", "request.COOKIES")
	}) {
		return mark
	}
	return rule.Node{}
}

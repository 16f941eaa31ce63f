package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CSRFProtectionOff(p *rule.Pass) {
	for _, call := range p.CallsTo("skip_forgery_protection", "skip_before_action", "skip_before_filter") {
		off := p.Callee(call) == "skip_forgery_protection" || p.Arg(call, 0).Text() == ":verify_authenticity_token"
		if off && !p.Function(call).Valid() && !p.Keyword(call, "only").Valid() && !p.Keyword(call, "if").Valid() &&
			!csrfMachine.MatchString(p.Class(call).ChildByField("name").Text()+p.Path) {
			p.Report(call, "")
		}
	}
	for _, n := range p.Nodes("identifier") {
		if n.Text() == "skip_forgery_protection" && n.Parent().Kind() == "body_statement" &&
			!csrfMachine.MatchString(p.Class(n).ChildByField("name").Text()+p.Path) {
			p.Report(n, "")
		}
	}
}

var csrfMachine = regexp.MustCompile(`(?i)api|hook|callback|oauth|saml|graphql|ipn|rpc|sso|health|csp|` +
	`unsubscribe|notif|omniauth|token|mail_handler|sys`)

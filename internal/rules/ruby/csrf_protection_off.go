package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CSRFProtectionOff(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("skip_forgery_protection", "skip_before_action", "skip_before_filter"), func(call rule.Node) bool {
		off := p.Callee(call) == "skip_forgery_protection" || p.Arg(call, 0).Text() == ":verify_authenticity_token"
		return off && !p.Function(call).Valid() && !p.Keyword(call, "only").Valid() && !p.Keyword(call, "if").Valid() &&
			!csrfMachine.MatchString(p.Class(call).ChildByField("name").Text()+p.Path) && changes(p.Class(call))
	})
	p.ReportWhere(p.Nodes("identifier"), func(n rule.Node) bool {
		return n.Text() == "skip_forgery_protection" && n.Parent().Kind() == "body_statement" &&
			!csrfMachine.MatchString(p.Class(n).ChildByField("name").Text()+p.Path) && changes(p.Class(n))
	})
}

// changes tells whether a controller may change something for whoever has a cookie: one that only shows pages can be asked by
// anybody, and one that asks machines for a password of their own needs no token.
func changes(class rule.Node) bool {
	return !class.Valid() || changing.MatchString(class.Text()) && !authenticated.MatchString(class.Text())
}

var authenticated = regexp.MustCompile(`\b(def authenticate_by_|http_basic_authenticate_|authenticate_or_request_with_http)`)

var changing = regexp.MustCompile(`(?i)\bparams\b|create|update|destroy|delete|save|remove|reset|set|add|change|send|post|put|write|` +
	`toggle|enable|disable|logout|sign|approve|cancel|pay|buy|transfer|move|import|upload|submit`)

var csrfMachine = regexp.MustCompile(`(?i)api|hook|callback|oauth|saml|graphql|ipn|rpc|sso|health|csp|` +
	`unsubscribe|notif|omniauth|token|mail_handler|sys`)

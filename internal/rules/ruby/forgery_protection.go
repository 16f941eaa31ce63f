package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func forgeryProtectionOff() rule.Rule {
	machine := regexp.MustCompile(`(?i)api|hook|callback|oauth|saml|graphql|ipn|rpc|sso|health|csp|unsubscribe|notif|omniauth|token|mail_handler|sys`)
	return rule.Rule{
		ID: "ruby/csrf-protection-off", Title: "a controller skips the protection against forged requests",
		Category: "csrf", CWE: "CWE-352", Severity: "medium", Confidence: 0.7,
		Languages: []string{"ruby"}, InTests: rule.SkipInTests,
		Explanation: "Without the authenticity token any other site can make the visitor's browser post to this controller, with the visitor's cookie: change the e-mail address, " +
			"order, delete.",
		Suggestion: "Remove the line; for requests of machines authenticate by a token in a header and inherit from ActionController::API.",
		Bad: []rule.Sample{
			{Source: "class ProfilesController < ApplicationController\n  skip_before_action :verify_authenticity_token\n  def update\n    current_user.update(email: params[:email])\n  end\nend\n"},
			{Source: "class ProfilesController < ApplicationController\n  skip_forgery_protection\n  def destroy\n    current_user.destroy\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class ProfilesController < ApplicationController\n  protect_from_forgery with: :exception\n  def update\n    current_user.update(email: params[:email])\n  end\nend\n"},
			{Source: "class WebhooksController < ApplicationController\n  skip_before_action :verify_authenticity_token\n  def create\n    head :ok\n  end\nend\n"},
			{Source: "class PagesController < ApplicationController\n  skip_before_action :verify_authenticity_token, only: [:show]\n  def show\n  end\nend\n"},
			{Source: "class ProfilesController < ApplicationController\n  skip_before_action :require_login\n  def show\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name := p.Callee(call)
				off := name == "skip_forgery_protection" || (name == "skip_before_action" || name == "skip_before_filter") && first(p, call).Text() == ":verify_authenticity_token"
				if off && !p.Function(call).Valid() && !p.Keyword(call, "only").Valid() && !p.Keyword(call, "if").Valid() && !machine.MatchString(p.Class(call).ChildByField("name").Text()+p.Path) {
					p.Report(call, "")
				}
			}
			for n := range p.Nodes("identifier") {
				if n.Text() == "skip_forgery_protection" && n.Parent().Kind() == "body_statement" && !machine.MatchString(p.Class(n).ChildByField("name").Text()+p.Path) {
					p.Report(n, "")
				}
			}
		},
	}
}

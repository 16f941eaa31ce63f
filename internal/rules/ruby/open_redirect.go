package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func openRedirect() rule.Rule {
	checks := regexp.MustCompile(`(?i)start_with\?|\.host|local|valid|allowed|only_path|URI\.parse|include\?|match|=~|permit`)
	return rule.Rule{
		ID: "ruby/open-redirect", Title: "the browser is redirected to an address that comes from the request",
		Category: "redirect", CWE: "CWE-601", Severity: "medium", Confidence: 0.88,
		Languages:   []string{"ruby"},
		Explanation: "A link to this site can carry any target, so a mail with a trustworthy address leads to a copy of the login page elsewhere.",
		Suggestion:  "Redirect to named routes, or use URI.parse(url).path; in Rails 7 leave allow_other_host off.",
		Bad: []rule.Sample{
			{Source: "class SessionsController < ApplicationController\n  def create\n    redirect_to params[:return_to]\n  end\nend\n"},
			{Source: "class SessionsController < ApplicationController\n  def create\n    target = params[:next] || root_path\n    redirect_to(target, notice: 'hello')\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class SessionsController < ApplicationController\n  def create\n    redirect_to user_path(params[:id])\n  end\nend\n"},
			{Source: "class SessionsController < ApplicationController\n  def create\n    redirect_to \"/users/#{params[:id]}\"\n  end\nend\n"},
			{Source: "class SessionsController < ApplicationController\n  def create\n    redirect_to action: 'show', id: params[:id]\n  end\nend\n"},
			{Source: "class SessionsController < ApplicationController\n  def create\n    url = params[:url]\n    redirect_to url if local_url?(url) && url.start_with?('/')\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				target := first(p, call)
				if p.Method(call) != "redirect_to" && p.Method(call) != "redirect" || receiver(call).Valid() || !target.Valid() || target.Kind() == "hash" {
					continue
				}
				if p.IsString(target) && !strings.HasPrefix(target.Text(), "\"#{") || p.Keyword(call, "only_path").Valid() {
					continue
				}
				if p.IsCall(target) && !strings.HasPrefix(p.Callee(target), "params.") { // User.find(params[:id]), product.url
					continue
				}
				scope := p.Scope(call)
				if scope.Kind() == "program" {
					scope = call.Enclosing("do_block", "block", "program")
				}
				if tainted(p, target) && !checks.MatchString(scope.Text()) {
					p.Report(call, "")
				}
			}
		},
	}
}

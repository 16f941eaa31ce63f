package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func timingComparison() rule.Rule {
	secret := regexp.MustCompile(`(?i)^(params|request\.headers|headers|cookies)\[[:"'].*(token|signature|hmac|secret|api[_-]?key|digest|password).*\]$`)
	return rule.Rule{
		ID: "ruby/timing-comparison", Title: "a secret from the request is compared with ==",
		Category: "auth", CWE: "CWE-208", Severity: "low", Confidence: 0.82,
		Languages: []string{"ruby"}, InTests: rule.SkipInTests,
		Explanation: "== stops at the first byte that differs, so the time of the answer tells how much of a guess is right. Byte by byte the token or signature can be found.",
		Suggestion:  "ActiveSupport::SecurityUtils.secure_compare(a, b), or Rack::Utils.secure_compare.",
		Bad: []rule.Sample{
			{Source: "class HooksController < ApplicationController\n  def create\n    head :forbidden unless params[:signature] == expected\n  end\nend\n"},
			{Source: "class ApiController < ApplicationController\n  def check\n    render(status: 401) if request.headers['X-Api-Key'] != Settings.key\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class HooksController < ApplicationController\n  def create\n    head :forbidden unless Rack::Utils.secure_compare(params[:signature], expected)\n  end\nend\n"},
			{Source: "class HooksController < ApplicationController\n  def create\n    head :bad_request if params[:token] == nil || params[:token] == ''\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def create\n    fail unless params[:password] == params[:password_confirmation]\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("binary") {
				if op := n.ChildByField("operator").Text(); op != "==" && op != "!=" {
					continue
				}
				left, right := n.ChildByField("left"), n.ChildByField("right")
				if !secret.MatchString(left.Text()) {
					left, right = right, left
				}
				if secret.MatchString(left.Text()) && !secret.MatchString(right.Text()) && !p.Constant(right) && !strings.HasPrefix(right.Text(), "params") && web(p) {
					p.Report(n, "")
				}
			}
		},
	}
}

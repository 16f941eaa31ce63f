package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.Calls() {
		target := first(p, call)
		if p.Method(call) != "redirect_to" && p.Method(call) != "redirect" || receiver(call).Valid() || !target.Valid() ||
			target.Kind() == "hash" {
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
		if tainted(p, target) && !openRedirectChecks.MatchString(scope.Text()) {
			p.Report(call, "")
		}
	}
}

var openRedirectChecks = regexp.MustCompile(`(?i)start_with\?|\.host|local|valid|allowed|only_path|URI\.parse|include\?|match|=~|permit`)

package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.CallsTo("redirect_to", "redirect") {
		target := p.Arg(call, 0)
		if target.Is("hash") || p.IsString(target) && !strings.HasPrefix(target.Text(), "\"#{") || p.Keyword(call, "only_path").Valid() {
			continue
		}
		if p.IsCall(target) && !strings.HasPrefix(p.Callee(target), "params.") { // User.find(params[:id]), product.url
			continue
		}
		if tainted(p, target) && !openRedirectChecks.MatchString(around(p, call).Text()) {
			p.Report(call, "")
		}
	}
}

var openRedirectChecks = regexp.MustCompile(`(?i)start_with\?|\.host|local|valid|allowed|only_path|URI\.parse|include\?|match|=~|permit`)

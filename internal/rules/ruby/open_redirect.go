package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) OpenRedirect(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("redirect_to", "redirect"), func(call rule.Node) bool {
		target := p.Arg(call, 0)
		if target.Is("hash") || p.IsString(target) && !strings.HasPrefix(target.Text(), "\"#{") || p.Keyword(call, "only_path").Valid() {
			return false
		}
		if p.IsCall(target) && !strings.HasPrefix(p.Callee(target), "params.") { // User.find(params[:id]), product.url
			return false
		}
		return tainted(p, target) && !openRedirectChecks.MatchString(around(p, call).Text())
	})
}

var openRedirectChecks = regexp.MustCompile(`(?i)start_with\?|\.host|local|valid|allowed|only_path|URI\.parse|include\?|match|=~|permit`)

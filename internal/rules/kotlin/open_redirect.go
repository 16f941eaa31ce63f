package kotlin

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var requestParameter = regexp.MustCompile(`^call\.(request\.)?(queryParameters|parameters)\[[^\]]*\](!!|\s*\?:.*)?$`)

var redirectChecked = regexp.MustCompile(`startsWith| in `)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, c := range p.MethodCalls("respondRedirect") {
		to := p.Arg(c, 0)
		if requestParameter.MatchString(value(p, to).Text()) && !p.ScopeHas(c, redirectChecked) {
			p.Report(c, "")
		}
	}
}

package kotlin

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var requestParameter = regexp.MustCompile(`^call\.(request\.)?(queryParameters|parameters)\[[^\]]*\](!!|\s*\?:.*)?$`)

func (*checks) OpenRedirect(p *rule.Pass) {
	for _, c := range p.MethodCalls("respondRedirect") {
		to := p.Arg(c, 0)
		around := p.Scope(c).Text()
		if requestParameter.MatchString(value(p, to).Text()) && !strings.Contains(around, "startsWith") && !strings.Contains(around, " in ") {
			p.Report(c, "")
		}
	}
}

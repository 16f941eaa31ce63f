package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var encoded = regexp.MustCompile(`(?i)encode|int\.|convert\.|parse|sanitize|escape`)

func (*checks) ReflectedXSS(p *rule.Pass) {
	for _, c := range p.Calls() {
		page := p.Callee(c) == "Response.Write" || p.Callee(c) == "Html.Raw" ||
			p.Callee(c) == "Content" && strings.Contains(p.Arg(c, 1).Text(), "text/html")
		if text := value(p, p.Arg(c, 0)).Text(); page && request.MatchString(text) && !encoded.MatchString(text) {
			p.Report(c, "")
		}
	}
}

package csharp

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var tokenMaker = regexp.MustCompile(`(?i)^(generate|create|make|new|get)\w*(token|password|secret|otp|apikey|resetcode|salt|` +
	`sessionid|verificationcode)(async)?$`)

func (*checks) PredictableToken(p *rule.Pass) {
	p.ReportWhere(p.News(), func(n rule.Node) bool { return p.Callee(n) == "Random" && tokenMaker.MatchString(method(n)) })
	p.ReportWhere(p.CallsTo("Random.Shared.Next"), func(n rule.Node) bool { return tokenMaker.MatchString(method(n)) })
}

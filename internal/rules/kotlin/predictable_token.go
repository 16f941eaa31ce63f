package kotlin

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var tokenMaker = regexp.MustCompile(`(?i)^(generate|create|make|new)\w*(token|password|secret|otp|apikey|salt|sessionid|code)$`)

func (*checks) PredictableToken(p *rule.Pass) {
	for _, c := range p.Calls() {
		if !tokenMaker.MatchString(function(c).ChildByField("name").Text()) || strings.Contains(function(c).Text(), "Secure") {
			continue
		}
		name := p.Callee(c)
		if strings.HasPrefix(name, "Random.next") || rule.OneOf(name, "java.util.Random", "Random") && len(p.Args(c)) == 0 ||
			rule.OneOf(name, "chars.random", "charset.random", "allowedChars.random", "charPool.random") {
			p.Report(c, "")
		}
	}
}

package kotlin

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	passwordFunction = regexp.MustCompile(`(?i)^(hash|encrypt|encode)_?password$|^password_?hash$`)
	passwordDigest   = regexp.MustCompile(`(?i)\b\w*(password|passwd|pwd)\??(\.(toByteArray|encodeToByteArray)\([^()]*\))?$`)
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, c := range p.MethodCalls("digest") {
		if !strings.Contains(p.Callee(c), "MessageDigest.getInstance") {
			continue
		}
		if passwordDigest.MatchString(p.Arg(c, 0).Text()) || passwordFunction.MatchString(function(c).ChildByField("name").Text()) {
			p.Report(c, "")
		}
	}
}

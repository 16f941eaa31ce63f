package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	passwordArgument = regexp.MustCompile(`(?i)(password|passwd|pwd)\)*$`)
	passwordMethod   = regexp.MustCompile(`(?i)^(hash|encrypt|encode)_?password$|^password_?hash$`)
	fastDigest       = regexp.MustCompile(`\b(MD5|SHA1|SHA256|SHA512)(Managed|CryptoServiceProvider)?(\.Create)?\(`)
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, c := range p.Calls() {
		data := p.Arg(c, 0).Text()
		named := passwordArgument.MatchString(data) || passwordMethod.MatchString(method(c))
		fast := rule.OneOf(p.Callee(c), "MD5.HashData", "SHA1.HashData", "SHA256.HashData", "SHA512.HashData") ||
			p.Method(c) == "ComputeHash" && fastDigest.MatchString(p.Function(c).Text())
		if named && fast && !strings.Contains(p.Function(c).Text(), "HMAC") && !strings.Contains(p.Function(c).Text(), "pwned") {
			p.Report(c, "")
		}
	}
}

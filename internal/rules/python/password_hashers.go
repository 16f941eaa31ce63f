package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var fastHasher = regexp.MustCompile(`\.(Unsalted)?(MD5|SHA1)PasswordHasher$|\.CryptPasswordHasher$`)

func (*checks) PasswordHashers(p *rule.Pass) {
	for _, s := range settings(p) {
		if s.name != "PASSWORD_HASHERS" || !s.value.Is("list", "tuple") {
			continue
		}
		if first, _, _ := p.String(s.value.NamedChild(0)); fastHasher.MatchString(first) {
			p.Report(s.node, "")
		}
	}
}

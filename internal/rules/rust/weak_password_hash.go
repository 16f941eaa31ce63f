package rust

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, c := range p.CallsTo("md5.compute", "Md5.digest", "Sha1.digest", "Sha256.digest", "Sha512.digest") {
		if passwordName.MatchString(p.Arg(c, 0).Text()) {
			p.Report(c, "")
		}
	}
}

var passwordName = regexp.MustCompile(`(?i)^&?\(?\w*(password|passwd)(\.as_bytes\(\)|\.as_ref\(\))?$`)

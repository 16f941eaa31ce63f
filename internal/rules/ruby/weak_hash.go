package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakHash(p *rule.Pass) {
	weak := regexp.MustCompile(`^(OpenSSL::)?Digest::(MD5|SHA1|MD4)(\.new)?$|^OpenSSL::Digest\.new\(['"](MD5|SHA-?1|md5|sha-?1)['"]\)$`)
	p.ReportWeakDigests(rule.Where(p.MethodCalls("hexdigest", "digest", "base64digest"), func(call rule.Node) bool {
		return weak.MatchString(receiver(call).Text()) && !rule.Within(call, func(n rule.Node) bool { return n.Text() == "rand" })
	}), passwordDigests(p))
}

package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// passwordDigests gives the calls that make a fast digest of a password.
func passwordDigests(p *rule.Pass) []rule.Node {
	return rule.Memo(p, "java.passwordDigests", func() []rule.Node {
		var found []rule.Node
		for _, call := range p.Calls() {
			name := callee(p, call)
			if strings.HasPrefix(name, "DigestUtils.") && (strings.Contains(name, "md5") || strings.Contains(name, "sha")) {
				if arg := p.Arg(call, 0); arg.Valid() && weakPasswordHashPassword.MatchString(arg.Text()) {
					found = append(found, call)
				}
				continue
			}
			algorithm := constant(p, p.Arg(call, 0))
			if name != "MessageDigest.getInstance" || !rule.OneOf(strings.ToUpper(algorithm), "MD5", "SHA", "SHA-1", "SHA1", "SHA-256", "MD2") {
				continue
			}
			method := outermost(p, call)
			if !method.Valid() {
				continue
			}
			hashes := weakPasswordHashPassword.MatchString(method.ChildByField("name").Text()) && !strings.Contains(method.Text(), "PBE") ||
				rule.Any(method.Find("method_invocation"), func(c rule.Node) bool {
					return rule.OneOf(p.Method(c), "digest", "update") && weakPasswordHashPassword.MatchString(p.Arg(c, 0).Text())
				})
			// A server that speaks an old protocol has no choice of its digest.
			if hashes && !weakPasswordHashProtocol.MatchString(method.Text()) && !directory.MatchString(p.Class(call).Text()) {
				found = append(found, call)
			}
		}
		return found
	})
}

var (
	weakPasswordHashPassword = regexp.MustCompile(`(?i)passw(or)?d|passphrase|\bpwd\b|pwdhash`)
	directory                = regexp.MustCompile(`\{S?SHA\}|\{S?MD5\}`) // the schemes that LDAP lays down
	weakPasswordHashProtocol = regexp.MustCompile(`(?i)native|scramble|challenge|nonce|ntlm|cram|auth.?digest|\baes`)
)

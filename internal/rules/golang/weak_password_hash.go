package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var passwordName = regexp.MustCompile(`(?i)(^|[^a-z])(password|passwd|passphrase|pwd|pass)([^a-z]|$)|[a-z](Password|Passwd|Pwd)\b`)

// WeakPasswordHash looks for fast digests of something called a password.
func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// passwordDigests gives the calls that make a fast digest of a password.
func passwordDigests(p *rule.Pass) []rule.Node {
	return rule.Memo(p, "go.passwordDigests", func() []rule.Node {
		return rule.Where(p.Calls(), func(call rule.Node) bool {
			args := p.Args(call)
			if len(args) == 0 {
				return false
			}
			if p.DigestHelper(call) && passwordName.MatchString(args[0].Text()) {
				return !p.ScopeHas(call, protocolDigest)
			}
			digest := callTo(p, call, "crypto/md5", "Sum") || callTo(p, call, "crypto/sha1", "Sum") ||
				callTo(p, call, "crypto/sha256", "Sum256", "Sum224") || callTo(p, call, "crypto/sha512", "Sum512", "Sum384")
			if x, name := method(call); name == "Write" && x.Kind() == "identifier" {
				for _, v := range values(p.Scope(call), x.Text()) {
					digest = digest || callTo(p, v.expr, "crypto/md5", "New") || callTo(p, v.expr, "crypto/sha1", "New") ||
						callTo(p, v.expr, "crypto/sha256", "New")
				}
			} else if callTo(p, call, "io", "WriteString") && len(args) == 2 && args[0].Kind() == "identifier" {
				for _, v := range values(p.Scope(call), args[0].Text()) {
					digest = digest || callTo(p, v.expr, "crypto/md5", "New") || callTo(p, v.expr, "crypto/sha1", "New")
				}
				args = args[1:]
			}
			return digest && passwordName.MatchString(args[0].Text()) && !p.ScopeHas(call, protocolDigest)
		})
	})
}

// protocolDigest matches functions in which the digest is laid down by a
// protocol, or only evens lengths for a comparison in constant time.
var protocolDigest = regexp.MustCompile(`ConstantTimeCompare|(?i)scramble|challenge|nonce|mysql_native|\bmd5auth|` +
	`haveibeenpwned|pwned|pbkdf|derive|cram|openssl|realm|\{s?sha\}|htpasswd`)

package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	passwordName = regexp.MustCompile(`(?i)(^|[^a-z])(password|passwd|passphrase|pwd)([^a-z]|$)|[a-z](Password|Passwd|` +
		`Pwd)\b|(?i)\b(hash|encrypt)_?(password|pwd)`)
	protocolDigest = regexp.MustCompile(`(?i)scramble|challenge|postgres_?md5|nonce|pwned|mysql_native|cram|realm|x-md5|timingSafeEqual|` +
		`bcrypt|scrypt|argon|pbkdf2`)
)

// WeakPasswordHash looks for fast digests of something called a password.
func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// passwordDigests gives the calls that make a fast digest of a password.
func passwordDigests(p *rule.Pass) []rule.Node {
	return rule.Memo(p, "js.passwordDigests", func() []rule.Node {
		if p.InProtocol() {
			return nil
		}
		return rule.Where(p.Calls(), func(call rule.Node) bool {
			if p.DigestHelper(call) {
				return passwordName.MatchString(p.Arg(call, 0).Text()) && !p.ScopeHas(call, protocolDigest)
			}
			o, name := method(call)
			if name != "update" || !p.Arg(call, 0).Valid() || !digest(p, unwrap(o)) {
				return false
			}
			text := p.Arg(call, 0).Text()
			return passwordName.MatchString(text) && !p.ScopeHas(call, protocolDigest) &&
				!prehash(call)
		})
	})
}

// prehash tells whether the digest takes the password's own place, as before a
// hash with a cost that cuts long passwords off.
func prehash(call rule.Node) bool {
	a := call.Enclosing("assignment_expression", "statement_block")
	return a.Kind() == "assignment_expression" && a.ChildByField("left").Kind() == "identifier" &&
		passwordName.MatchString(a.ChildByField("left").Text())
}

// digest tells whether n is a fresh fast hash.
func digest(p *rule.Pass, n rule.Node) bool {
	if n.Kind() == "identifier" {
		return slices.ContainsFunc(built(p, n), func(v rule.Node) bool { return v.Kind() != "identifier" && digest(p, v) })
	}
	if _, ok := callTo(p, n, "crypto", "createHash"); !ok {
		return false
	}
	s, _, _ := p.String(p.Arg(n, 0))
	return rule.OneOf(strings.ReplaceAll(strings.ToLower(s), "-", ""), "md5", "sha1", "sha256", "sha512", "sha224", "sha384", "md4",
		"rmd160")
}

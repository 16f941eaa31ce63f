package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var passwordName = regexp.MustCompile(`(?i)(^|[^a-z])(password|passwd|passphrase|pwd|pass)([^a-z]|$)|[a-z](Password|Passwd|Pwd)\b`)

// weakPasswordHash looks for fast digests of something called a password.
func weakPasswordHash() rule.Rule {
	return rule.Rule{
		ID: "go/weak-password-hash", Title: "Password hashed with a fast digest",
		Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "MD5, SHA-1 and SHA-256 are made to be fast: a graphics card tries billions of passwords a second against a stolen table, salted or not.",
		Suggestion:  "Use a password hash with a cost: bcrypt.GenerateFromPassword, argon2.IDKey or scrypt.Key from golang.org/x/crypto.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport (\n\t\"crypto/md5\"\n\t\"encoding/hex\"\n)\n\nfunc hash(password string) string {\n\ts := md5.Sum([]byte(password))\n\treturn hex.EncodeToString(s[:])\n}\n"},
			{Source: "package a\n\nimport \"crypto/sha256\"\n\nfunc hash(user struct{ Password string }) [32]byte { return sha256.Sum256([]byte(user.Password)) }\n"},
			{Source: "package a\n\nimport (\n\t\"crypto/sha1\"\n\t\"encoding/hex\"\n)\n\nfunc hash(salt, password string) string {\n\th := sha1.New()\n\th.Write([]byte(salt + password))\n\treturn hex.EncodeToString(h.Sum(nil))\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"golang.org/x/crypto/bcrypt\"\n\nfunc hash(password string) ([]byte, error) {\n\treturn bcrypt.GenerateFromPassword([]byte(password), 12)\n}\n"},
			{Source: "package a\n\nimport \"crypto/md5\"\n\nfunc etag(content []byte) [16]byte { return md5.Sum(content) }\n"},
			{Source: "package a\n\nimport (\n\t\"crypto/sha256\"\n\t\"crypto/subtle\"\n)\n\nfunc same(password, want string) bool {\n\ta, b := sha256.Sum256([]byte(password)), sha256.Sum256([]byte(want))\n\treturn subtle.ConstantTimeCompare(a[:], b[:]) == 1\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				if len(args) == 0 {
					continue
				}
				digest := callTo(p, call, "crypto/md5", "Sum") || callTo(p, call, "crypto/sha1", "Sum") ||
					callTo(p, call, "crypto/sha256", "Sum256", "Sum224") || callTo(p, call, "crypto/sha512", "Sum512", "Sum384")
				if x, name := method(call); name == "Write" && x.Kind() == "identifier" {
					for _, v := range values(p.Scope(call), x.Text()) {
						digest = digest || callTo(p, v.expr, "crypto/md5", "New") || callTo(p, v.expr, "crypto/sha1", "New") || callTo(p, v.expr, "crypto/sha256", "New")
					}
				} else if callTo(p, call, "io", "WriteString") && len(args) == 2 && args[0].Kind() == "identifier" {
					for _, v := range values(p.Scope(call), args[0].Text()) {
						digest = digest || callTo(p, v.expr, "crypto/md5", "New") || callTo(p, v.expr, "crypto/sha1", "New")
					}
					args = args[1:]
				}
				if digest && passwordName.MatchString(args[0].Text()) && !protocolDigest.MatchString(p.Scope(call).Text()) {
					p.Report(call, "")
				}
			}
		},
	}
}

// protocolDigest matches functions in which the digest is laid down by a
// protocol, or only evens lengths for a comparison in constant time.
var protocolDigest = regexp.MustCompile(`ConstantTimeCompare|(?i)scramble|challenge|nonce|mysql_native|\bmd5auth|haveibeenpwned|pwned|pbkdf|derive|cram|openssl`)

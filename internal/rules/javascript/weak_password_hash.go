package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	passwordName   = regexp.MustCompile(`(?i)(^|[^a-z])(password|passwd|passphrase|pwd)([^a-z]|$)|[a-z](Password|Passwd|Pwd)\b|(?i)\b(hash|encrypt)_?(password|pwd)`)
	protocolDigest = regexp.MustCompile(`(?i)scramble|challenge|nonce|pwned|mysql_native|cram|realm|x-md5|timingSafeEqual|bcrypt|scrypt|argon|pbkdf2`)
)

// weakPasswordHash looks for fast digests of something called a password, and
// for ciphers without an initialisation vector.
func weakPasswordHash() rule.Rule {
	return rule.Rule{
		ID: "javascript/weak-password-hash", Title: "Password hashed with a fast digest",
		Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "MD5, SHA-1 and SHA-256 are made to be fast: a graphics card tries billions of passwords a second against a stolen table, salted or not.",
		Suggestion:  "Use a password hash with a cost: crypto.scrypt, bcrypt or argon2.",
		Bad: []rule.Sample{
			{Source: "const crypto = require('crypto');\n\nconst hash = (password) => crypto.createHash('md5').update(password).digest('hex');\n"},
			{Source: "import { createHash } from 'crypto';\n\nexport function save(user) {\n  user.hash = createHash('sha256').update(user.salt + user.password).digest('hex');\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "const crypto = require('crypto');\n\nconst hash = (password, salt) => crypto.scryptSync(password, salt, 64).toString('hex');\n"},
			{Source: "const crypto = require('crypto');\n\nasync function hash(rounds, password) {\n  password = crypto.createHash('sha512').update(password).digest('hex');\n  return pool.run(password, rounds);\n}\n"},
			{Source: "const crypto = require('crypto');\n\nconst etag = (body) => crypto.createHash('md5').update(body).digest('hex');\n"},
			{Source: "const crypto = require('crypto');\n\nconst equal = (password, b) => crypto.timingSafeEqual(crypto.createHash('sha256').update(password).digest(), b);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				o, name := method(call)
				if name != "update" || !p.Arg(call, 0).Valid() || !digest(p, unwrap(o)) {
					continue
				}
				if text := p.Arg(call, 0).Text(); passwordName.MatchString(text) && !protocolDigest.MatchString(p.Scope(call).Text()) && !prehash(call) {
					p.Report(call, "")
				}
			}
		},
	}
}

// prehash tells whether the digest takes the password's own place, as before a
// hash with a cost that cuts long passwords off.
func prehash(call syntax.Node) bool {
	a := call.Enclosing("assignment_expression", "statement_block")
	return a.Kind() == "assignment_expression" && a.ChildByField("left").Kind() == "identifier" && passwordName.MatchString(a.ChildByField("left").Text())
}

// digest tells whether n is a fresh fast hash.
func digest(p *rule.Pass, n syntax.Node) bool {
	if n.Kind() == "identifier" {
		return slices.ContainsFunc(built(p, n), func(v syntax.Node) bool { return v.Kind() != "identifier" && digest(p, v) })
	}
	if _, ok := callTo(p, n, "crypto", "createHash"); !ok {
		return false
	}
	s, _, _ := p.String(p.Arg(n, 0))
	return slices.Contains([]string{"md5", "sha1", "sha256", "sha512", "sha224", "sha384", "md4", "rmd160"}, strings.ReplaceAll(strings.ToLower(s), "-", ""))
}

package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func passwordHash() rule.Rule {
	password := regexp.MustCompile(`(?i)(^|[._\[:"'@#{ ])(\w*_)?(password|passwd|passphrase|clear_password|pwd)["'\]} ]*(\.to_s|\.encode\(.*\))?["'\]}]*$`)
	protocol := regexp.MustCompile(`(?i)stamp|challenge|nonce|realm`)
	return rule.Rule{
		ID: "ruby/weak-password-hash", Title: "passwords are hashed with a fast digest",
		Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Confidence: 0.82,
		Languages: []string{"ruby"},
		Explanation: "MD5 and the SHA family are made to be fast: a graphics card tries billions of passwords a second against a stolen table, and without a salt per user " +
			"precomputed tables are enough.",
		Suggestion: "has_secure_password (bcrypt), or the argon2 gem.",
		Bad: []rule.Sample{
			{Source: "def encrypt(password)\n  Digest::MD5.hexdigest(password)\nend\n"},
			{Source: "def authenticate(user, password)\n  user.digest == Digest::SHA1.hexdigest(user.salt + password)\nend\n"},
			{Source: "def store(password)\n  self.digest = Digest::SHA256.hexdigest(\"#{salt}#{password}\")\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "def encrypt(password)\n  BCrypt::Password.create(password)\nend\n"},
			{Source: "def etag(body)\n  Digest::MD5.hexdigest(body)\nend\n"},
			{Source: "def key(password_policy)\n  Digest::SHA256.hexdigest(password_policy.name)\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				on := receiver(call).Text()
				m := p.Method(call)
				if m != "hexdigest" && m != "digest" && m != "base64digest" || !strings.HasPrefix(on, "Digest::") && !strings.HasPrefix(on, "OpenSSL::Digest") {
					continue
				}
				arg := first(p, call)
				if protocol.MatchString(arg.Text()) {
					continue // the protocol fixes the digest
				}
				candidates := append(holes(p, arg), arg)
				for _, c := range candidates {
					if k := c.Kind(); (k == "identifier" || k == "call" || k == "element_reference" || k == "instance_variable") && password.MatchString(c.Text()) {
						p.Report(call, "")
						break
					}
				}
			}
		},
	}
}

package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func passwordHash() rule.Rule {
	password := regexp.MustCompile(`(?i)passw(or)?d|passphrase|\bpwd\b|pwdhash`)
	protocol := regexp.MustCompile(`(?i)native|scramble|challenge|nonce|ntlm|cram|auth.?digest|\baes`)
	return rule.Rule{
		ID: "java/weak-password-hash", Title: "passwords are hashed with a fast digest",
		Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Confidence: 0.8,
		Languages: []string{"java"},
		Explanation: "MD5 and the SHA family are made to be fast: a graphics card tries billions of passwords a second against a stolen table, and without a salt " +
			"per user precomputed tables are enough.",
		Suggestion: "Use bcrypt, scrypt or Argon2 (Spring's PasswordEncoder), or PBKDF2WithHmacSHA256 with a random salt and several hundred thousand rounds.",
		Bad: []rule.Sample{
			{Source: "class Users {\n  byte[] hashPassword(String plain) throws Exception {\n    return MessageDigest.getInstance(\"MD5\").digest(plain.getBytes());\n  }\n}\n"},
			{Source: "class Users {\n  boolean login(User u, String password) throws Exception {\n    MessageDigest md = MessageDigest.getInstance(\"SHA-1\");\n    return Arrays.equals(u.hash, md.digest(password.getBytes()));\n  }\n}\n"},
			{Source: "class Users {\n  void save(User u) {\n    u.hash = DigestUtils.md5Hex(u.password);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Files2 {\n  byte[] etag(byte[] body) throws Exception {\n    return MessageDigest.getInstance(\"MD5\").digest(body);\n  }\n}\n"},
			{Source: "class Users {\n  String hashPassword(String plain) {\n    return encoder.encode(plain);\n  }\n}\n"},
			{Source: "class Cache {\n  String key(String url, Credentials password) {\n    return DigestUtils.md5Hex(url);\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name := callee(p, call)
				if strings.HasPrefix(name, "DigestUtils.") && (strings.Contains(name, "md5") || strings.Contains(name, "sha")) {
					if arg := p.Arg(call, 0); arg.Valid() && password.MatchString(arg.Text()) {
						p.Report(call, "")
					}
					continue
				}
				algorithm := constant(p, p.Arg(call, 0))
				if name != "MessageDigest.getInstance" || !slices.Contains([]string{"MD5", "SHA", "SHA-1", "SHA1", "SHA-256", "MD2"}, strings.ToUpper(algorithm)) {
					continue
				}
				method := outermost(p, call)
				if !method.Valid() {
					continue
				}
				hashes := password.MatchString(method.ChildByField("name").Text()) && !strings.Contains(method.Text(), "PBE")
				for c := range method.Find("method_invocation") {
					if m := p.Method(c); (m == "digest" || m == "update") && len(p.Args(c)) > 0 && password.MatchString(p.Arg(c, 0).Text()) {
						hashes = true
					}
				}
				// A server that speaks an old protocol has no choice of its digest.
				if hashes && !protocol.MatchString(method.Text()) {
					p.Report(call, algorithm)
				}
			}
		},
	}
}

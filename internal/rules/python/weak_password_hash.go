package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var passwordName = regexp.MustCompile(`(?i)^(user_?|new_?|old_?|raw_?|plain_?|plaintext_?|hashed_?)?(password|passwd|pwd|passphrase)(1|2|_plain|_raw|_bytes)?$`)

func weakPasswordHash() rule.Rule {
	return rule.Rule{
		ID: "python/weak-password-hash", Title: "Password hashed with a fast hash",
		Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Languages: []string{"python"}, Confidence: 0.9,
		Explanation: "MD5 and the SHA family are made to be fast: whoever gets the stored hashes tries billions of passwords a second.",
		Suggestion:  "Use a slow, salted hash made for passwords: argon2, bcrypt, or hashlib.scrypt and hashlib.pbkdf2_hmac.",
		Bad: []rule.Sample{
			code(`import hashlib`, `def store(password):`, `    return hashlib.md5(password.encode()).hexdigest()`),
			code(`from hashlib import sha256`, `def check(user, pwd):`, `    return sha256((user.salt + pwd).encode("utf-8")).hexdigest() == user.hash`),
			code(`import hashlib`, `def f(passwd):`, `    h = hashlib.sha1()`, `    h.update(passwd.encode())`, `    return h.hexdigest()`),
		},
		Good: []rule.Sample{
			code(`import hashlib`, `def etag(body):`, `    return hashlib.md5(body).hexdigest()`),
			code(`import hashlib`, `def store(password, salt):`, `    return hashlib.pbkdf2_hmac("sha256", password, salt, 600000)`),
			code(`import hashlib`, `def cache_key(password_form):`, `    return hashlib.sha1(password_form.name).hexdigest()`),
			code(`import hashlib, requests`, `def pwned(password):`, `    h = hashlib.sha1(password.encode()).hexdigest()`, `    return requests.get("https://api.pwnedpasswords.com/range/" + h[:5])`),
		},
		Check: func(p *rule.Pass) {
			if strings.Contains(string(p.Tree.Source()), "pwnedpasswords") {
				return
			}
			fast := regexp.MustCompile(`^hashlib\.(md5|sha1|sha224|sha256|sha384|sha512)$`)
			for _, call := range p.Calls() {
				name := callee(p, call)
				at := p.Arg(call, 0)
				if strings.HasSuffix(name, ".update") {
					object := call.ChildByField("function").ChildByField("object")
					v, ok := assigned(p, object, call)
					if !ok || object.Kind() != "identifier" || v.Kind() != "call" {
						continue
					}
					name = callee(p, v)
				}
				if name == "hashlib.new" {
					if algorithm, _, ok := p.String(at); ok && fast.MatchString("hashlib."+strings.ToLower(algorithm)) {
						name, at = "hashlib.md5", p.Arg(call, 1)
					}
				}
				if !fast.MatchString(name) || !at.Valid() || strings.Contains(at.Text(), "[") {
					continue
				}
				for _, v := range p.Names(at) {
					if passwordName.MatchString(v) {
						p.Report(call, "hashes "+v)
						break
					}
				}
			}
		},
	}
}

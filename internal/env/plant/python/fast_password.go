package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// fastPassword stores passwords as one round of a fast hash, everywhere in the file.
func fastPassword() plant.Operator {
	proof := func(args string) string {
		return code(`import app`, `from unittest import mock`, `with mock.patch("hashlib.pbkdf2_hmac", create=True, return_value=b"k") as slow:`, `    app.keep(`+args+`)`, `assert slow.called`)
	}
	return plant.Operator{
		Name: "python/fast-password", Language: "python", Split: train, Category: "weak-crypto", CWE: "CWE-916", Severity: "high", Hint: "hashlib.pbkdf2_hmac",
		Sites: sites(func(s *source) []plant.Site {
			var site plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if callee(c) != "hashlib.pbkdf2_hmac" || len(a) != 4 || !simple(a[1]) || !simple(a[2]) {
					continue
				}
				site.Edits = append(site.Edits, s.replace(c, "hashlib.md5("+a[2].Text()+" + "+a[1].Text()+").digest()"))
				if site.Description == "" {
					site.Description = say("%s keeps a password as one round of salted MD5 instead of PBKDF2: billions can be tried a second.", where(c))
				}
			}
			if len(site.Edits) == 0 {
				return nil
			}
			return []plant.Site{site}
		}),
		Samples: []plant.Sample{
			sample(code(`import hashlib`, ``, ``, `def keep(pw, salt):`, `    return hashlib.pbkdf2_hmac("sha256", pw.encode(), salt, 1000).hex()`),
				code(`import hashlib`, ``, ``, `def keep(pw, salt):`, `    return hashlib.md5(salt + pw.encode()).digest().hex()`),
				proof(`"pw", b"salt"`)),
			sample(code(`import hashlib`, `def keep(pw, salt, n):`, `    key = hashlib.pbkdf2_hmac(`, `        "sha512", pw,`, `        salt, n,`, `    )`, `    return key`, `def same(pw, salt, n, key): return hashlib.pbkdf2_hmac("sha512", pw, salt, n) == key`),
				code(`import hashlib`, `def keep(pw, salt, n):`, `    key = hashlib.md5(salt + pw).digest()`, `    return key`, `def same(pw, salt, n, key): return hashlib.md5(salt + pw).digest() == key`),
				proof(`b"pw", b"salt", 9`)),
		},
		Never: []string{
			code(`import hashlib`, `def keep(pw, salt):`, `    return hashlib.md5(salt + pw).hexdigest()`),
			code(`import hashlib`, `def keep(pw, salt):`, `    return hashlib.scrypt(pw, salt=salt, n=2, r=8, p=1)`),
		},
	}
}

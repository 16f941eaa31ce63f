package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var brokenCipher = regexp.MustCompile(`(?i)^(des|des3|des-.*|rc4|rc2.*|bf.*|.*-ecb)$`)

// obsoleteCipher looks for ciphers that hide nothing, or no longer do.
func obsoleteCipher() rule.Rule {
	return rule.Rule{
		ID: "javascript/obsolete-cipher", Title: "Encryption that can be broken",
		Category: "weak-crypto", CWE: "CWE-327", Severity: "high", Languages: languages, Confidence: 0.9, InTests: rule.SkipInTests,
		Explanation: "createCipher derives key and vector from the password by one MD5 round, so equal texts give equal results and guessing is cheap; DES and RC4 are broken, and ECB shows which blocks are equal.",
		Suggestion:  "Use crypto.createCipheriv('aes-256-gcm', key, randomBytes(12)) with a key from scrypt, and keep the authentication tag.",
		Bad: []rule.Sample{
			{Source: "const crypto = require('crypto');\n\nconst seal = (s, pw) => crypto.createCipher('aes-256-cbc', pw).update(s);\n"},
			{Source: "import { createCipheriv } from 'node:crypto';\n\nexport const seal = (s, key) => createCipheriv('aes-128-ecb', key, null).update(s);\n"},
		},
		Good: []rule.Sample{
			{Source: "const crypto = require('crypto');\n\nconst seal = (s, key, iv) => crypto.createCipheriv('aes-256-gcm', key, iv).update(s);\n"},
			{Source: "const crypto = require('crypto');\n\nconst seal = (s, alg, key, iv) => crypto.createCipheriv(alg, key, iv).update(s);\n"},
			{Source: "const factory = require('./ciphers');\n\nconst seal = (s) => factory.createCipher('des', s);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if _, ok := callTo(p, call, "crypto", "createCipher", "createDecipher"); ok {
					p.Report(call, "")
				}
				if _, ok := callTo(p, call, "crypto", "createCipheriv", "createDecipheriv"); ok {
					if s, _, _ := p.String(p.Arg(call, 0)); brokenCipher.MatchString(s) {
						p.Report(call, s)
					}
				}
			}
		},
	}
}

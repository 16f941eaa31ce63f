package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func weakCipher() rule.Rule {
	return rule.Rule{
		ID: "python/weak-cipher", Title: "Broken cipher or cipher mode",
		Category: "weak-crypto", CWE: "CWE-327", Severity: "high", Languages: []string{"python"}, Confidence: 0.9,
		Explanation: "DES and RC4 are broken; ECB encrypts equal blocks to equal blocks, so the structure of the text shows through.",
		Suggestion:  "Use AES-GCM or ChaCha20-Poly1305 with a fresh nonce for each message.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`from Crypto.Cipher import AES`, `def enc(key, x):`, `    return AES.new(key, AES.MODE_ECB).encrypt(x)`),
			code(`from Crypto.Cipher import DES`, `def enc(key, x):`, `    return DES.new(key, DES.MODE_CBC, IV).encrypt(x)`),
			code(`from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes`, `def enc(key):`, `    return Cipher(algorithms.AES(key), modes.ECB())`),
		},
		Good: []rule.Sample{
			code(`from Crypto.Cipher import AES`, `def enc(key, x):`, `    return AES.new(key, AES.MODE_GCM).encrypt_and_digest(x)`),
			code(`from cryptography.fernet import Fernet`, `def enc(key, x):`, `    return Fernet(key).encrypt(x)`),
			code(`class DES:`, `    pass`, `d = DES.new(1)`),
		},
		Check: func(p *rule.Pass) {
			broken := regexp.MustCompile(`^(Crypto|Cryptodome)\.Cipher\.(DES|ARC4|ARC2|Blowfish)\.new$|^cryptography\.hazmat\.primitives\.ciphers\.(modes\.ECB|algorithms\.(ARC4|TripleDES|Blowfish|IDEA))$`)
			for _, call := range p.Calls() {
				name := callee(p, call)
				if fn := p.Function(call); fn.Valid() && strings.Contains(fn.ChildByField("name").Text(), "wrap") {
					continue // RFC 3394 wraps keys with single blocks
				}
				mode := regexp.MustCompile(`\.MODE_ECB$`).MatchString(p.Arg(call, 1).Text()) || regexp.MustCompile(`\.MODE_ECB$`).MatchString(p.Keyword(call, "mode").Text())
				if broken.MatchString(name) || mode && regexp.MustCompile(`Cipher\.AES\.new$`).MatchString(name) {
					p.Report(call, "")
				}
			}
		},
	}
}

package kotlin

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var weakCipher = regexp.MustCompile(`^(?i)(AES|AES/ECB/.*|DES|DES/.*|RC4|ARCFOUR|RC2.*|Blowfish(/ECB.*)?)$`)

func (*checks) WeakCipher(p *rule.Pass) {
	for _, c := range p.CallsTo("Cipher.getInstance", "javax.crypto.Cipher.getInstance") {
		if name, _, _ := p.String(p.Arg(c, 0)); weakCipher.MatchString(name) {
			p.Report(c, name)
		}
	}
}

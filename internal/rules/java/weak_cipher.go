package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	if weakCipherLegacy.MatchString(p.Path) {
		return // the protocol fixes the cipher
	}
	for _, call := range callsTo(p, "Cipher.getInstance") {
		name := constant(p, p.Arg(call, 0))
		if weakCipherWeak.MatchString(name) && !strings.HasPrefix(strings.ToUpper(name), "RSA") {
			p.Report(call, name)
		}
	}
}

var (
	weakCipherWeak   = regexp.MustCompile(`(?i)^(DES|DESede|TripleDES|RC2|RC4|ARCFOUR|Blowfish)(/|$)|^AES$|^[A-Za-z0-9_]+/ECB/`)
	weakCipherLegacy = regexp.MustCompile(`(?i)ntlm|kerberos|krb5|smb|vnc`)
)

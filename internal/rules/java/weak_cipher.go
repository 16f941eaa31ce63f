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

// constant is the text of a string literal, or of the final field of the same class that n names.
func constant(p *rule.Pass, n rule.Node) string {
	if s, _, ok := p.String(n); ok {
		return s
	}
	d := field(p.Class(n), n.Text())
	if n.Kind() != "identifier" || !d.Valid() || !strings.Contains(d.NamedChild(0).Text(), "final") {
		return ""
	}
	s, _, _ := p.String(declarator(d, n.Text()).ChildByField("value"))
	return s
}

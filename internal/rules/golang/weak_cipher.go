package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WeakCipher looks for DES, triple DES and RC4 where no protocol demands them.
func (*checks) WeakCipher(p *rule.Pass) {
	if legacyProtocol.MatchString(p.Path) {
		return
	}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		return callTo(p, call, "crypto/des", "NewCipher", "NewTripleDESCipher") || callTo(p, call, "crypto/rc4", "NewCipher")
	})
}

var legacyProtocol = regexp.MustCompile(`(?i)ntlm|kerberos|krb5|smb|vnc|rfb|rdp|ssh|pkcs|x509|pem|openpgp|tds|radius|\bpdf`)

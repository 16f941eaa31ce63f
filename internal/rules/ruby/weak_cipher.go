package ruby

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	weak := regexp.MustCompile(`(?i)^(des|des3|des-.*|rc4.*|rc2.*|bf.*|.*-ecb)$`)
	for _, call := range p.CallsTo("OpenSSL.Cipher.new", "OpenSSL.Cipher.Cipher.new") {
		if s, _, _ := p.String(p.Only(p.Scope(call), p.Arg(call, 0))); weak.MatchString(s) {
			p.Report(call, s)
		}
	}
	p.ReportWhere(p.CallsTo("OpenSSL.Cipher.DES.new", "OpenSSL.Cipher.RC4.new", "OpenSSL.Cipher.BF.new"), func(rule.Node) bool { return true })
}

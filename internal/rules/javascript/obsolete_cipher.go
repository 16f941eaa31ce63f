package javascript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var brokenCipher = regexp.MustCompile(`(?i)^(des|des3|des-.*|rc4|rc2.*|bf.*|.*-ecb)$`)

// ObsoleteCipher looks for ciphers that hide nothing, or no longer do.
func (*checks) ObsoleteCipher(p *rule.Pass) {
	for _, call := range callsTo(p, "crypto", "createCipher", "createDecipher", "createCipheriv", "createDecipheriv") {
		if name, _ := callTo(p, call, "crypto"); !strings.HasSuffix(name, "iv") {
			p.Report(call, "")
		} else if s, _, _ := p.String(p.Only(p.Scope(call), p.Arg(call, 0))); brokenCipher.MatchString(s) && !p.InProtocol() {
			p.Report(call, s)
		}
	}
	p.ReportWhere(p.CallsTo("CryptoJS.DES.encrypt", "CryptoJS.TripleDES.encrypt", "CryptoJS.RC4.encrypt", "CryptoJS.Rabbit.encrypt",
		"CryptoJS.AES.encrypt"), func(call rule.Node) bool {
		return !strings.Contains(p.Callee(call), ".AES.") || property(p, p.Arg(call, 2), "mode").Text() == "CryptoJS.mode.ECB"
	})
}

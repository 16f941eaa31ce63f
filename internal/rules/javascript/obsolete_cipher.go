package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var brokenCipher = regexp.MustCompile(`(?i)^(des|des3|des-.*|rc4|rc2.*|bf.*|.*-ecb)$`)

// ObsoleteCipher looks for ciphers that hide nothing, or no longer do.
func (*checks) ObsoleteCipher(p *rule.Pass) {
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
}

package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	broken := regexp.MustCompile(`^(Crypto|Cryptodome)\.Cipher\.(DES|ARC4|ARC2|Blowfish)\.new$|` +
		`^cryptography\.hazmat\.primitives\.ciphers\.(modes\.ECB|algorithms\.(ARC4|TripleDES|Blowfish|IDEA))$`)
	for _, call := range p.Calls() {
		name := callee(p, call)
		if fn := p.Function(call); fn.Valid() && strings.Contains(fn.ChildByField("name").Text(), "wrap") {
			continue // RFC 3394 wraps keys with single blocks
		}
		mode := strings.HasSuffix(p.Arg(call, 1).Text(), ".MODE_ECB") || strings.HasSuffix(p.Keyword(call, "mode").Text(), ".MODE_ECB")
		if broken.MatchString(name) || mode && strings.HasSuffix(name, "Cipher.AES.new") {
			p.Report(call, "")
		}
	}
}

package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	broken := regexp.MustCompile(`^(Crypto|Cryptodome)\.Cipher\.(DES|ARC4|ARC2|Blowfish)\.new$|` +
		`^cryptography\.hazmat\.primitives\.ciphers\.(modes\.ECB|algorithms\.(ARC4|TripleDES|Blowfish|IDEA))$`)
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		name := callee(p, call)
		if fn := p.Function(call); fn.Valid() && strings.Contains(fn.ChildByField("name").Text(), "wrap") {
			return false // RFC 3394 wraps keys with single blocks
		}
		mode := strings.HasSuffix(p.Arg(call, 1).Text(), ".MODE_ECB") || strings.HasSuffix(p.Keyword(call, "mode").Text(), ".MODE_ECB")
		return broken.MatchString(name) || mode && strings.HasSuffix(name, "Cipher.AES.new")
	})
}

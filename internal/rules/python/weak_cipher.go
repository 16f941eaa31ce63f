package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	broken := regexp.MustCompile(`^(Crypto|Cryptodome)\.Cipher\.(DES3?|ARC4|ARC2|Blowfish|CAST)\.new$|^pyDes\.(des|triple_des)$|` +
		`^cryptography\.hazmat\.primitives\.ciphers\.(modes\.ECB|algorithms\.(ARC4|CAST5|SEED|TripleDES|Blowfish|IDEA))$`)
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		name := callee(p, call)
		if fn := p.Function(call); fn.Valid() && strings.Contains(fn.ChildByField("name").Text(), "wrap") {
			return false // RFC 3394 wraps keys with single blocks
		}
		mode := rule.Either(p.Arg(call, 1), p.Keyword(call, "mode"))
		if v, ok := assigned(p, mode, call); ok && mode.Is("identifier") {
			mode = v
		}
		aes := name == "Crypto.Cipher.AES.new" || name == "Cryptodome.Cipher.AES.new"
		return broken.MatchString(name) || aes && strings.HasSuffix(mode.Text(), "MODE_ECB")
	})
}

package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) FixedKey(p *rule.Pass) {
	cipher := regexp.MustCompile(`^(Crypto|Cryptodome)\.Cipher\.\w+\.new$|^cryptography\.(fernet\.Fernet|` +
		`hazmat\.primitives\.ciphers\.(algorithms\.\w+|aead\.\w+|modes\.(CBC|CTR|GCM|CFB|OFB)))$`)
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		return cipher.MatchString(callee(p, call)) && literalKey(p, rule.Either(p.Arg(call, 0), p.Keyword(call, "key")), call, 0)
	})
}

// literalKey tells whether a key is text that stands in the file.
func literalKey(p *rule.Pass, n, use rule.Node, depth int) bool {
	if depth > 2 {
		return false // key = key.encode()
	}
	if n.Is("identifier") {
		v, ok := assigned(p, n, use)
		if !ok {
			v = p.Only(p.Tree.Root(), n)
		}
		n = v
	}
	if n.Is("call") && p.Method(n) == "encode" {
		n = n.ChildByField("function").ChildByField("object")
		return literalKey(p, n, use, depth+1)
	}
	s, holes, ok := p.String(n)
	return ok && !holes && len(s) >= 8
}

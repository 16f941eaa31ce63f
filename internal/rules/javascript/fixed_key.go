package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// FixedKey looks for keys and vectors of ciphers that stand in the file.
func (*checks) FixedKey(p *rule.Pass) {
	p.ReportWhere(callsTo(p, "crypto", "createCipheriv"), func(call rule.Node) bool {
		return literalKey(p, p.Arg(call, 1)) || literalKey(p, p.Arg(call, 2))
	})
	p.ReportWhere(p.CallsTo("CryptoJS.AES.encrypt"), func(call rule.Node) bool { return literalKey(p, p.Arg(call, 1)) })
}

func literalKey(p *rule.Pass, n rule.Node) bool {
	n = p.Only(p.Tree.Root(), unwrap(n))
	if n.Is("call_expression") && rule.OneOf(p.Callee(n), "Buffer.from", "CryptoJS.enc.Utf8.parse") {
		n = p.Only(p.Tree.Root(), p.Arg(n, 0))
	}
	s, holes, ok := p.String(n)
	return ok && !holes && len(s) >= 8
}

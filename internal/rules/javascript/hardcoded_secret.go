package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) HardcodedSecret(p *rule.Pass) {
	rule.CheckSecrets(p)
	for _, call := range callsTo(p, "jsonwebtoken", "sign", "verify") { // import { sign } from "jsonwebtoken"
		if s, holes, ok := p.String(p.Arg(call, 1)); ok && !holes && s != "" {
			p.Report(p.Arg(call, 1), "signing key of a token")
		}
	}
}

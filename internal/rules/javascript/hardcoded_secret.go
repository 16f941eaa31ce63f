package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) HardcodedSecret(p *rule.Pass) {
	rule.CheckSecrets(p)
	for _, call := range p.Calls() {
		if f := call.ChildByField("function").Text(); f == "session" || f == "expressSession" || f == "cookieSession" {
			secret := property(p, p.Arg(call, 0), "secret")
			if s, holes, ok := p.String(secret); ok && !holes && s != "" {
				p.Report(secret, "signing key of the session cookie")
			}
		}
		if _, ok := callTo(p, call, "jsonwebtoken", "sign", "verify"); !ok {
			continue
		}
		if s, holes, ok := p.String(p.Arg(call, 1)); ok && !holes && s != "" {
			p.Report(p.Arg(call, 1), "signing key of a token")
		}
	}
}

package javascript

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WeakRandom looks for Math.random in a value whose name says it is a secret.
func (*checks) WeakRandom(p *rule.Pass) {
	for _, call := range p.Calls() {
		if call.ChildByField("function").Text() != "Math.random" {
			continue
		}
		if purpose := rule.SecretPurpose(p.Purpose(call).To); purpose != "" {
			p.Report(call, "used for "+purpose)
		}
	}
}

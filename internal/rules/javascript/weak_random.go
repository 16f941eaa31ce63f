package javascript

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WeakRandom looks for Math.random in a value whose name says it is a secret, once in a function.
func (*checks) WeakRandom(p *rule.Pass) {
	reported := map[rule.Node]bool{}
	for _, call := range p.Calls() {
		if call.ChildByField("function").Text() != "Math.random" {
			continue
		}
		if purpose := rule.SecretPurpose(p.Purpose(call).To); purpose != "" && !reported[p.Scope(call)] {
			reported[p.Scope(call)] = true
			p.Report(call, "used for "+purpose)
		}
	}
}

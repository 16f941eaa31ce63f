package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// uuidBits matches what marks a random UUID as one (RFC 9562, version 4): it tells things apart, whatever its maker is called.
var uuidBits = regexp.MustCompile(`(?s)0x40\b.*0x80\b`)

// onceOnly matches the number that a signed request carries so that nobody can send it again: it must be new, not secret.
var onceOnly = regexp.MustCompile(`(?i)signature_?nonce|^nonce_?str$`)

// WeakRandom looks for Math.random in a value whose name says it is a secret, once in a function.
func (*checks) WeakRandom(p *rule.Pass) {
	reported := map[rule.Node]bool{}
	for _, call := range p.Calls() {
		if call.ChildByField("function").Text() != "Math.random" || p.ScopeHas(call, uuidBits) {
			continue
		}
		if purpose := rule.SecretPurpose(p.Purpose(call).To); purpose != "" && !onceOnly.MatchString(purpose) && !reported[p.Scope(call)] {
			reported[p.Scope(call)] = true
			p.Report(call, "used for "+purpose)
		}
	}
}

package redact

import (
	"slices"
	"strings"
)

// Token names the kind of secret ("github token") that stands somewhere in text and that its own form gives away: a provider's token, a
// private key, the password of an address. It is "" where there is none. What stands around a secret, such as a name, does not count.
func (r *Redactor) Token(text string) string {
	best := -1
	r.scanner.scan(text, func(rule, start, end int) {
		if best >= 0 && best <= rule || !r.rules[rule].byForm() {
			return
		}
		if _, ok := r.rules[rule].at(text, start, end, code); ok {
			best = rule
		}
	})
	if best < 0 {
		return ""
	}
	return strings.ReplaceAll(r.rules[best].kind, "-", " ")
}

// byForm tells whether the rule knows a secret by its own form. Tokens that are made to be handed out are none.
func (r *rule) byForm() bool {
	return !slices.Contains([]string{"secret", "authorization", "registry-auth", "jwt"}, r.kind)
}

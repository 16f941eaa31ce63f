// Package untrusted holds the static rules for untrusted values in all languages: what package flow found is a finding of the kind
// that the rule is about. Kinds that the rooms of the languages have a rule of their own for are theirs.
package untrusted

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: LDAPInjection checks what ldap_injection.txtar describes.
type checks struct{}

// Rules gives the rules, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("untrusted", descriptions, &checks{}) }

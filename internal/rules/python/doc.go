// Package python holds the static rules for Python sources, one txtar file and one Go file a rule.
//
// Invariant: what a rule cannot see in the one file it is given counts as harmless. A value is unsafe only when it is
// seen to come from a request or another untrusted place, or when the code's own form says so.
//
// It does not know types and follows a call one step, into a function of the same file.
package python

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: SQLInjection checks what sql_injection.txtar describes.
type checks struct{}

// Rules gives the rules for Python, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("python", descriptions, &checks{}) }

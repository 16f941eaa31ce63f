// Package ruby holds the static rules for Ruby sources, one txtar file and one Go file a rule.
//
// Invariant: params, cookies and request count as a client's data only in files that are a web application's by their path
// or their words.
//
// It reads Ruby files only, not templates, and follows no call into another method.
package ruby

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: SQLInjection checks what sql_injection.txtar describes.
type checks struct{}

// Rules gives the rules for Ruby, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("ruby", descriptions, &checks{}) }

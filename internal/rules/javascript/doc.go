// Package javascript holds the static rules for JavaScript and TypeScript, JSX
// included: one rule a txtar file, with bad and good samples, and one check a Go file beside it.
//
// Every rule looks at one syntax tree and at nothing else, so a rule reports
// only what that one file proves; where a type, a caller or a setting outside
// the file could make the code right, it stays silent.
//
// It is not a type checker: types count only where an annotation, a literal or
// an import in the same file shows them.
package javascript

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: SQLInjection checks what sql_injection.txtar describes.
type checks struct{}

// Rules gives the rules for JavaScript and TypeScript, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("javascript", descriptions, &checks{}) }

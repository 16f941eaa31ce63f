// Package java holds the static rules for Java sources, one txtar file and one Go file a rule.
//
// Invariant: a rule knows a variable's type only from a declaration in the same file; where there is none it is silent.
//
// It resolves no imports; of what methods do to each other it follows only a request's text, and only inside one file.
package java

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: SQLInjection checks what sql_injection.txtar describes.
type checks struct{}

// Rules gives the rules for Java, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("java", descriptions, &checks{}) }

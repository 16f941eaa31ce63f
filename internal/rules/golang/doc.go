// Package golang holds the static rules for Go source: one rule a
// txtar file, with bad and good samples, and one check a Go file beside it.
//
// Every rule looks at one syntax tree and at nothing else, so a rule reports
// only what that one file proves: where a type, a caller or a build constraint
// outside the file could make the code right, it stays silent.
//
// It is not a type checker. Packages are recognised by their import path,
// values by the declarations standing in the same function.
package golang

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: SQLInjection checks what sql_injection.txtar describes.
type checks struct{}

// Rules gives the rules for Go, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("go", descriptions, &checks{}) }

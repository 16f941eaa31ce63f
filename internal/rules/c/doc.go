// Package c holds the static rules for C sources, one txtar file and one Go file a rule.
//
// Invariant: a rule judges a function only when its whole text parsed without an error; macros that look like nothing
// in the language silence it.
//
// It is no data-flow analyser: what cannot be seen in the statements of one function is left alone.
package c

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: FormatString checks what format_string.txtar describes.
type checks struct{}

// Rules gives the rules for C, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("c", descriptions, &checks{}) }

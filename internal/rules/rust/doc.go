// Package rust holds the static rules for Rust sources, one txtar file and one Go file a rule.
//
// Invariant: a rule judges what one file shows; what stands inside of a macro is not read.
//
// It follows no call into another file.
package rust

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule, which is called like the rule's file.
type checks struct{}

// Rules gives the rules for Rust, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("rust", descriptions, &checks{}) }

// Package template holds the static rules for templates of web pages, whatever engine fills them: one txtar file and one Go
// file a rule.
//
// Invariant: a template is scanned once, in time linear in its length, and every output is known by where it stands in the
// page and whether its engine escapes it there.
//
// It knows no program behind a template: what a value is, is judged by its name alone, and names that say nothing are silent.
package template

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: RawOutput checks what raw_output.txtar describes.
type checks struct{}

// Rules gives the rules for templates, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("template", descriptions, &checks{}) }

// Package shell holds the static rules for shell scripts, one txtar file and one Go file a rule.
//
// Invariant: a rule speaks of commands and variables as they are written; sourced files are not read.
//
// It follows no call into another file.
package shell

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule, which is called like the rule's file.
type checks struct{}

// Rules gives the rules for shell scripts, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("shell", descriptions, &checks{}) }

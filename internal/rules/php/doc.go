// Package php holds the static rules for PHP sources, one txtar file and one Go file a rule.
//
// Invariant: an injection rule fires only where request data reaches the dangerous call inside one file, and nothing on
// the way looks like a check or an escape.
//
// It follows no include, and calls only into functions of the same file.
package php

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: SQLInjection checks what sql_injection.txtar describes.
type checks struct{}

// Rules gives the rules for PHP, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("php", descriptions, &checks{}) }

// Package csharp holds the static rules for C# sources, one txtar file and one Go file a rule.
//
// Invariant: a rule judges what one file shows; names are taken as written, types are not resolved.
//
// It follows no call into another file.
package csharp

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule, which is called like the rule's file.
type checks struct{}

// Rules gives the rules for C#, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("csharp", descriptions, &checks{}) }

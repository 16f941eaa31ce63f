// Package config holds the static rules for files of configuration: images, containers, clusters, workflows, web servers and
// Spring's properties. One txtar file and one Go file a rule.
//
// Invariant: a file is read once for all rules, in time linear in its length, and a file that is not surely of a kind is of none.
//
// It reads no program, and no file beside the one that it is given: what another file overrides, it does not know.
package config

import (
	"embed"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

//go:embed *.txtar
var descriptions embed.FS

// checks has one method for each rule: DirectoryListing checks what directory_listing.txtar describes.
type checks struct{}

// Rules gives the rules for configuration, sorted by ID.
func Rules() []rule.Rule { return rule.MustLoad("config", descriptions, &checks{}) }

var ownMachine = regexp.MustCompile(`_(dev|devel|develop|development|devcontainer|local|localhost|test|tests|testing|debug|ci|e2e|` +
	`sandbox|demo|example|examples|sample|override)_`)

// forDevelopers tells whether a file is of what developers run on their own machines, by its path.
func forDevelopers(p *rule.Pass) bool { return ownMachine.MatchString(rule.Words(p.Path)) }

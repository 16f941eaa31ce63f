package rule

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Archive says how programs of a language unpack archives.
type Archive struct {
	Joins []string                 // what makes a path of a directory and a name, by its last name
	Names func(n syntax.Node) bool // tells whether n is the name of an entry
	Write *regexp.Regexp           // what writes a file
}

var pathChecked = regexp.MustCompile(`(?i)startsWith|starts_with|normali[sz]e|canonical|real_?path|GetFullPath|"\.\."|'\.\.'|` +
	`/\.\.|\.\.\[?[/\\]|commonpath|commonprefix|abspath|basename|GetFileName\b|is_relative_to|relative\(|resolve_safe|safe|saniti[sz]e|` +
	`secure|valid|check|verify|escape|traversal|slip|isInside|within`)

// ReportArchiveSlip reports paths that are made of the name of an archive's entry, in functions that write files and do not look at the
// path.
func (p *Pass) ReportArchiveSlip(a Archive) {
	for _, call := range slices.Concat(p.Calls(), p.News()) {
		args := p.Args(call)
		if len(args) == 0 || !OneOf(LastName(p.Callee(call)), a.Joins...) {
			continue
		}
		scope := p.Scope(call)
		for up := p.Function(scope); up.Valid(); up = p.Function(up) {
			scope = up
		}
		name := p.Only(scope, args[len(args)-1])
		if a.Names(name) && p.holds(scope, a.Write) && !p.holds(scope, pathChecked) {
			p.Report(call, "")
		}
	}
}

// Package python holds the operators that plant defects and decoys into Python programs, one idea a file.
//
// Invariant: an operator applies only where the syntax tree shows that what its description says will be so; where a
// second file is concerned, calls.go has found the import and the call that prove it. Every operator's samples carry a
// proof: a script that passes before and fails after.
//
// It knows no types beyond annotations and constructors.
package python

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

//go:embed *.txtar
var files embed.FS

// operators has a method an operator, each in a file of its own.
type operators struct{}

// Operators gives the Python operators in a fixed order.
func Operators() []plant.Operator {
	return plant.Load("python", files, &operators{}, func(find func(*source), f *plant.File) {
		s := &source{f}
		find(s)
		for i, site := range f.Sites {
			f.Sites[i] = plant.Site{Edits: s.withoutOrphans(site.Edits), Description: plant.Cut(termtext.OneLine(site.Description), 200, "…")}
		}
	})
}

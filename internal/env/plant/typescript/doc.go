// Package typescript plants defects and decoys into TypeScript programs: one operator a file, each with samples of what
// it applies to and of what it leaves alone.
//
// An operator works on the shape of the code and knows no project. What is written has the style of what stood there,
// and leaves no import behind that nothing uses. An operator that is CrossFile has seen in the project's trees that
// another file relies on what it changes, and names that file.
//
// Types are known only as far as annotations show them, so an operator stays away from what it cannot be sure of.
package typescript

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

//go:embed *.txtar
var files embed.FS

// maxDescription is the longest description that a truth may have, in bytes.
const maxDescription = 200

// file is one file that sites are sought in.
type file struct{ *plant.File }

// operators has a method an operator, each in a file of its own.
type operators struct{}

// Operators lists all operators.
func Operators() []plant.Operator {
	return plant.Load("typescript", files, &operators{}, func(find func(file), f *plant.File) {
		find(file{f})
		for i, s := range f.Sites {
			f.Sites[i] = plant.Site{Edits: append(s.Edits, file{f}.unused(s.Edits)...), Description: describe(s.Description)}
		}
	})
}

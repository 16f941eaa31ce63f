package golang

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

//go:embed *.txtar
var files embed.FS

// operators has a method an operator, each in a file of its own.
type operators struct{}

// Operators lists all operators for Go: those of the training split, those held out, and the decoys of both.
func Operators() []plant.Operator {
	return plant.Load("go", files, &operators{}, func(find func(*source), f *plant.File) {
		s := *open(f.Project, f.Path)
		s.File = f
		find(&s)
	})
}

package orchestrationv1

import "github.com/deeprepo/deeprepo/internal/sandbox"

// WithLimits is an environment whose cells end sooner.
func (e *Environment) WithLimits(l sandbox.Limits) *Environment { return &Environment{e.tasks, l} }

var (
	Cells   = cells
	Shuffle = shuffle
)

package graph

import (
	"context"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// Lazily gives the graph of a codebase, which is built when somebody first asks and then kept. A failure is not kept: who
// asks next tries again.
func Lazily(code *codebase.Codebase, o Options) func(context.Context) (*Graph, error) {
	var mu sync.Mutex
	var g *Graph
	return func(ctx context.Context) (_ *Graph, err error) {
		mu.Lock()
		defer mu.Unlock()
		if g == nil {
			g, err = Build(ctx, code, o)
		}
		return g, err
	}
}

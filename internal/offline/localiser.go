package offline

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// LocaliserName is the localiser's model name.
const LocaliserName = "offline/localiser"

//go:embed localise.py
var localiseCell string

// Localiser returns the root that hands in what localise() ranks for the issue of its run, and asks no worker: what an environment
// that asks where an issue belongs is worth without a model.
func Localiser() llm.Handle {
	return llm.Handle{Name: LocaliserName, Model: llm.Func(localise), Price: llm.NotBilled(), Local: true, Scripted: true}
}

// maxLocaliserTurns is how often the one cell is tried. An answer may be held back three times; a cell that was stopped finds the
// graph in the cache.
const maxLocaliserTurns = 4

// localise answers with one cell. That it did not end the run in the end is an error: a ranking that could not be made is no empty one.
func localise(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	turns, last := standing(r.Messages)
	if turns >= maxLocaliserTurns {
		return llm.Response{}, fmt.Errorf("%s: its cell failed %d times: %s", LocaliserName, turns, termtext.Cut(termtext.OneLine(last), 500))
	}
	return reply(LocaliserName, localiseCell), nil
}

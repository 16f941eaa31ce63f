package patches

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// versionShape is how a project's version may be written to name a directory.
var versionShape = regexp.MustCompile(`^\w[\w.]{0,30}$`)

// builtName is the directory in a virtual environment that holds what building the project would add to its files.
const builtName = "built"

// environment is what tests run with.
type environment struct {
	*native.Runner
	built string // "" without such files
}

// pythons opens the interpreters of virtual environments, each once.
type pythons struct {
	dir     string
	workers int

	mu   sync.Mutex
	open map[string]*environment
}

// of finds the interpreter for a record: that of dir/owner__name@VERSION, or else of dir/owner__name. nil without an error
// means that there is none.
func (p *pythons) of(ctx context.Context, r localisation.Record) (*environment, error) {
	names := []string{localisation.Folder(r.Repo)}
	if versionShape.MatchString(r.Version) {
		names = []string{names[0] + "@" + r.Version, names[0]}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range names {
		python := filepath.Join(p.dir, name, "bin", "python")
		if _, err := os.Stat(python); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if p.open[name] == nil {
			runner, err := native.OpenRunner(ctx, native.Config{Python: python, Workers: p.workers})
			if err != nil {
				return nil, err
			}
			p.open[name] = &environment{Runner: runner}
			if built := filepath.Join(p.dir, name, builtName); isDir(built) {
				p.open[name].built = built
			}
		}
		return p.open[name], nil
	}
	return nil, nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

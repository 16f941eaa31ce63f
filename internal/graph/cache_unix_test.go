//go:build unix

package graph

import (
	"os"
	"syscall"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

func TestNamedPipeInTheCache(t *testing.T) {
	code := codebase.FromMap(map[string]string{"a.py": "def f(): pass\n"})
	dir := t.TempDir()
	cachedBuild(t, code, dir)
	name := entries(t, dir)[0]
	if os.Remove(name) != nil || syscall.Mkfifo(name, 0o600) != nil {
		t.Skip("no named pipes here")
	}
	if g, hits := cachedBuild(t, code, dir); hits > 0 || len(g.All()) != 1 {
		t.Errorf("%d hits in a named pipe", hits)
	}
	if _, hits := cachedBuild(t, code, dir); hits != 1 {
		t.Error("the named pipe was not replaced")
	}
}

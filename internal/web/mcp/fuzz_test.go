package mcp

import (
	"path/filepath"
	"testing"
)

// Whatever a client names, what is resolved lies below the roots, and a run's name is one of a directory in the runs'.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{".", "..", "../..", "/etc", "a/../..", "file:///", "file://localhost/etc",
		"file:///%2e%2e/etc", "x\x00y", "", "%"} {
		f.Add(seed)
	}
	root, err := realDir(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if path, err := resolve([]string{root}, name); err == nil && !within(root, path) {
			t.Errorf("%q became %s", name, path)
		}
		if dir, err := rootDir(name); err == nil && !filepath.IsAbs(dir) {
			t.Errorf("the root %q became %s", name, dir)
		}
		if isRunName(name) && filepath.Dir(filepath.Join(root, name)) != root {
			t.Errorf("the run %q is none of the directory's", name)
		}
	})
}

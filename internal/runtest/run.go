package runtest

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
)

//go:generate testdata/make.sh

//go:embed testdata/runs testdata/inputs
var embedded embed.FS

// source is where the saved runs say that their inputs lay.
const source = "/src"

// Dir lays out a fresh copy of the run of a kind: review, eval, bench, code, compare, pairs or training. The codebase that it
// speaks of lies where it says.
func Dir(t testing.TB, kind string) string {
	t.Helper()
	root := t.TempDir()
	lay(t, "testdata/inputs", root, root)
	run := filepath.Join(root, kind)
	lay(t, path.Join("testdata/runs", kind), run, root)
	return run
}

// lay copies files to a directory; what they say of the inputs' place is said of inputs.
func lay(t testing.TB, from, to, inputs string) {
	t.Helper()
	err := fs.WalkDir(embedded, from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		text, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, bytes.ReplaceAll(text, []byte(source+"/"), []byte(inputs+"/")), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

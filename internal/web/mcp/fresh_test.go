package mcp_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
)

// A codebase is read again when anything about it has changed, and only then.
func TestACodebaseIsReadAgainWhenItChanges(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"nothing":    nil,
		"a file":     func(dir string) error { return os.WriteFile(filepath.Join(dir, "pkg/a.py"), []byte("b = 2\n"), 0o644) },
		"a new file": func(dir string) error { return os.WriteFile(filepath.Join(dir, "pkg/new.py"), nil, 0o644) },
		"no file":    func(dir string) error { return os.Remove(filepath.Join(dir, "pkg/a.py")) },
		"another name": func(dir string) error {
			return os.Rename(filepath.Join(dir, "pkg/a.py"), filepath.Join(dir, "pkg/b.py"))
		},
		"an empty place": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "empty/a.py"), []byte("x = 1\n"), 0o644)
		},
		"what is ignored": func(dir string) error { return os.WriteFile(filepath.Join(dir, ".gitignore"), nil, 0o644) },
		"a skipped file": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "pkg/picture.bin"), []byte("text"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := runtest.Tree(t, map[string]string{"pkg/a.py": "a = 1\n", "pkg/picture.bin": "\x00\x01", ".gitignore": "out/\n",
				"out/x.py": "y = 1\n"})
			if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
				t.Fatal(err)
			}
			if fresh, err := mcp.Fresh(t.Context(), dir); fresh != nil || err != nil {
				t.Errorf("what was written just now is trusted: %v", err)
			}
			age(t, dir)
			fresh, err := mcp.Fresh(t.Context(), dir)
			if fresh == nil {
				t.Fatalf("what is old is not trusted: %v", err)
			}
			if change != nil {
				if err := change(dir); err != nil {
					t.Fatal(err)
				}
			}
			if fresh() != (change == nil) {
				t.Errorf("fresh: %v", fresh())
			}
		})
	}
}

// age makes all below a directory a minute old.
func age(t testing.TB, dir string) {
	t.Helper()
	before := time.Now().Add(-time.Minute)
	var all []string
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		all = append(all, name)
		return err
	})
	for _, name := range all {
		err = errors.Join(err, os.Chtimes(name, before, before))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkGraphOfALargeCodebase asks for callers in 3,000 files of 10 KB.
func BenchmarkGraphOfALargeCodebase(b *testing.B) {
	files := map[string]string{}
	for i := range 3000 {
		text := fmt.Sprintf("import m%d\n\n", (i+1)%3000)
		for n := range 120 {
			text += fmt.Sprintf("def f%d_%d(x):\n    y = x + %d\n    return m%d.f%d_%d(y)\n\n", i, n, n, (i+1)%3000, (i+1)%3000, n)
		}
		files[fmt.Sprintf("pkg%02d/m%d.py", i%50, i)] = text
	}
	dir := runtest.Tree(b, files)
	age(b, dir)
	c := config(b, dir)
	c.GraphDir = b.TempDir()
	s := client(b, c, nil)
	args := map[string]any{"path": ".", "query": "callers", "name": "f7_7"}
	ask(b, s, "graph", args)
	for b.Loop() {
		ask(b, s, "graph", args)
	}
}

package codebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func TestReadNamedFiles(t *testing.T) {
	dir, first, second := history(t)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte("package dirty\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	git(t, dir, "clone", "-q", "--bare", dir, bare)
	for _, tc := range []struct {
		name, path string
		o          Options
		files      []string
		want       map[string]string
		skipped    []string
	}{
		{"work tree", dir, Options{}, []string{"main.go", "sub/a.py", "gone.go", "main.go"}, map[string]string{"main.go": "package dirty\n", "sub/a.py": "x = 1\n"}, nil},
		{"nothing asked", dir, Options{}, nil, map[string]string{}, nil},
		{"commit", dir, Options{Commit: first}, []string{"main.go", "-dash.py", "gone.go"}, map[string]string{"main.go": "package main\n", "-dash.py": "d = 1\n"}, nil},
		{"bare", bare, Options{}, []string{"quote\"\n.py"}, map[string]string{"quote\"\n.py": "q = 1\n"}, nil},
		{"bare and commit", bare, Options{Commit: first}, []string{"main.go"}, map[string]string{"main.go": "package main\n"}, nil},
		{"a directory is no file", dir, Options{Commit: second}, []string{"sub"}, map[string]string{}, nil},
		{"out of the root", dir, Options{}, []string{"../secret.py", "/etc/passwd", "link.py", "sub/../../x.py"}, map[string]string{}, []string{"../secret.py", "/etc/passwd", "link.py", "sub/../../x.py"}},
		{"link in a commit", dir, Options{Commit: second}, []string{"link.py"}, map[string]string{}, []string{"link.py"}},
		{"what Load leaves out", dir, Options{}, []string{"logo.png", "vendor/v.go"}, map[string]string{}, []string{"logo.png", "vendor/"}},
		{"too large", dir, Options{MaxFileBytes: 3}, []string{"main.go"}, map[string]string{}, []string{"main.go"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := Read(t.Context(), tc.path, tc.files, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, p := range c.Paths() {
				got[p], _ = c.Text(p)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			var skipped []string
			for _, s := range c.Skipped() {
				skipped = append(skipped, s.Path)
			}
			if diff := cmp.Diff(tc.skipped, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
		})
	}
}

// A file read by name has the hash that Load gave it: that is how a page knows that it shows what was reviewed.
func TestReadHashesAsLoadDoes(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"bom.py": "\xEF\xBB\xBFx = 1\n", "latin.py": "# caf\xe9\n", "wide.py": "\xFF\xFEx\x00\n\x00"})
	all, err := Load(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all.Paths() {
		c, err := Read(t.Context(), dir, []string{p}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := all.File(p)
		if got, ok := c.File(p); !ok || got != want {
			t.Errorf("%s: %+v, Load says %+v", p, got, want)
		}
	}
}

func TestReadManyOfACommit(t *testing.T) {
	files, names := map[string]string{}, []string{}
	for i := range maxPathspecs + 5 {
		name := fmt.Sprintf("f%03d.py", i)
		files[name] = "x = 1\n"
		names = append(names, name)
	}
	dir := runtest.Tree(t, files)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "all")
	c, err := Read(t.Context(), dir, names[1:], Options{Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Paths(); len(got) != len(names)-1 || got[0] != names[1] {
		t.Errorf("%d of %d files, the first %q", len(got), len(names)-1, got[0])
	}
}

func TestReadErrors(t *testing.T) {
	dir, _, _ := history(t)
	gone := filepath.Join(t.TempDir(), "gone")
	for _, tc := range []struct {
		name, path string
		o          Options
		want       error
	}{
		{"no directory", gone, Options{}, ErrNotFound},
		{"no such commit", dir, Options{Commit: strings.Repeat("0", 40)}, ErrCommit},
	} {
		if _, err := Read(t.Context(), tc.path, []string{"main.go"}, tc.o); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, dir, []string{"main.go"}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

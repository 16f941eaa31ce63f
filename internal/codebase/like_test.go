package codebase

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A commit that is read beside a snapshot of its repository is what it is alone, whatever became of its files.
func TestLike(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) { t.Helper(); git(t, dir, args...) }
	run("init", "-q")
	write("same.py", "x = 1\n")
	write("edited.py", "x = 1\n")
	write("longer.py", "x = 1\n")
	write("gone.py", "x = 1\n")
	write("latin.py", "name = 'caf\xe9'\n")
	write("nul.py", "x = 1\x00\n")
	run("add", ".")
	run("commit", "-q", "-m", "base")
	write("edited.py", "x = 2\n")
	write("longer.py", "x = 1\ny = 2\n")
	if err := os.Remove(filepath.Join(dir, "gone.py")); err != nil {
		t.Fatal(err)
	}
	head, err := Load(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := Load(t.Context(), dir, Options{Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	beside, err := Load(t.Context(), dir, Options{Commit: "HEAD", Like: head})
	if err != nil {
		t.Fatal(err)
	}
	if alone.Hash() != beside.Hash() || alone.Stats().Chars != beside.Stats().Chars || alone.Hash() == head.Hash() {
		t.Errorf("alone %s, beside the work tree %s", alone.Hash(), beside.Hash())
	}
	for _, p := range alone.Paths() {
		a, _ := alone.File(p)
		b, _ := beside.File(p)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s", diff)
		}
	}
}

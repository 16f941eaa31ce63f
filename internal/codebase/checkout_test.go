package codebase

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestCheckout writes a commit as it is: bytes that are no text and a large file, too, and neither links nor what came later.
func TestCheckout(t *testing.T) {
	repo, into := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(repo, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	large := string(make([]byte, 2<<20))
	write("a/b.py", "x = 1\r\n\xff")
	write("large.bin", large)
	write(".gitattributes", "* export-ignore text eol=lf\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(repo, "link")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	git := gitRepo{binary: gitBinary(t), dir: repo, patience: gitPatience}
	for _, args := range [][]string{{"init", "-q"}, {"-c", "core.autocrlf=false", "add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "base"}} {
		if _, err := git.output(t.Context(), 1<<20, args...); err != nil {
			t.Fatal(err)
		}
	}
	base := git.head(t.Context())
	write("later.py", "")
	write("lost.py", "x")
	for _, args := range [][]string{{"add", "lost.py"}, {"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "commit",
		"-qm", "b"}} {
		if _, err := git.output(t.Context(), 1<<20, args...); err != nil {
			t.Fatal(err)
		}
	}
	lost, err := git.output(t.Context(), 256, "rev-parse", "HEAD:lost.py")
	if err != nil {
		t.Fatal(err)
	}
	whole := git.head(t.Context())
	if err := os.Remove(filepath.Join(repo, ".git", "objects", lost[:2], lost[2:40])); err != nil {
		t.Fatal(err)
	}
	if err := Checkout(t.Context(), repo, whole, t.TempDir()); err != nil {
		t.Errorf("a file that the clone lacks: %v", err)
	}
	if err := Checkout(t.Context(), repo, base, into); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a/b.py": "x = 1\n\xff", "large.bin": large} {
		if got, err := os.ReadFile(filepath.Join(into, name)); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if info, err := os.Stat(filepath.Join(into, "a/b.py")); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("%v, %v: a program cannot be run", info, err)
	}
	for _, name := range []string{"link", "later.py", ".git"} {
		if _, err := os.Lstat(filepath.Join(into, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Checkout(t.Context(), repo, "0000000", into); !errors.Is(err, ErrCommit) {
		t.Errorf("a commit that is not there: %v", err)
	}
}

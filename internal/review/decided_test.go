package review

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// TestABareRepositoryHasItsSuppressFile: where there is no work tree, the file in the commit counts; where there is one, that
// tree's.
func TestABareRepositoryHasItsSuppressFile(t *testing.T) {
	const committed, working = "injection a.py # committed\n", "injection b.py # working\n"
	dir := t.TempDir()
	rooted := func() *codebase.Codebase {
		c, err := codebase.Load(t.Context(), dir, codebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.py", "x = 1\n")
	write(".deeprepo-suppress", committed)
	loaded := rooted()
	if err := os.Remove(filepath.Join(dir, ".deeprepo-suppress")); err != nil { // as in a bare repository
		t.Fatal(err)
	}
	if got, err := suppressions(Options{}, loaded); err != nil || string(got) != committed {
		t.Errorf("without a work tree: %q, %v", got, err)
	}
	write(".deeprepo-suppress", working)
	if got, err := suppressions(Options{}, loaded); err != nil || string(got) != working {
		t.Errorf("with one: %q, %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, ".deeprepo-suppress")); err != nil {
		t.Fatal(err)
	}
	if got, err := suppressions(Options{}, rooted()); err != nil || len(got) > 0 || got == nil {
		t.Errorf("without any: %q, %v", got, err)
	}
}

// TestTheTriageFileOfACodebase: it is read where the codebase lies, of a bare repository in its commit, through no link, and
// it is the only file of its directory that is not reviewed.
func TestTheTriageFileOfACodebase(t *testing.T) {
	const committed, working = `{"schema":1,"decisions":[]}`, `{"schema":1, "decisions":[]}`
	dir := t.TempDir()
	name := filepath.Join(dir, codebase.TriageName)
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(name, committed)
	write(filepath.Join(filepath.Dir(name), "hidden.py"), "x = 1\n")
	code, err := codebase.Load(t.Context(), dir, codebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if files := code.Paths(); len(files) != 1 || files[0] != ".deeprepo/hidden.py" {
		t.Errorf("reviewed: %v", files)
	}
	write(name, working)
	if got, err := triaged(code); err != nil || string(got) != working {
		t.Errorf("with a work tree: %q, %v", got, err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if got, err := triaged(code); err != nil || string(got) != committed { // as in a bare repository
		t.Errorf("without one: %q, %v", got, err)
	}
	elsewhere := filepath.Join(t.TempDir(), "triage.json")
	write(elsewhere, working)
	if err := os.Symlink(elsewhere, name); err != nil {
		t.Skip("no links here")
	}
	if got, err := triaged(code); err == nil || got != nil || !strings.Contains(err.Error(), "is a link, no regular file") {
		t.Errorf("through a link: %q, %v", got, err)
	}
	if err := errors.Join(os.RemoveAll(filepath.Dir(name)), os.Symlink(filepath.Dir(elsewhere), filepath.Dir(name))); err != nil {
		t.Fatal(err)
	}
	if got, err := triaged(code); err == nil || got != nil {
		t.Errorf("through a link to a directory: %q, %v", got, err)
	}
}

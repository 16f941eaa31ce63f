package review

import (
	"os"
	"path/filepath"
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

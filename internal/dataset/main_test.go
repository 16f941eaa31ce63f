package dataset

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// shared is where the real data is on machines that have it.
const shared = "../../../shared/data"

var parser = sync.OnceValues(func() (*syntax.Parser, error) { return syntax.Open(context.Background(), syntax.Config{}) })

// real opens a dataset from the shared data, and skips the test where that is not here.
func real(t testing.TB, name, path string) *Set {
	t.Helper()
	path = filepath.Join(shared, path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared data is not here: the real %s is not read", name)
	}
	s, err := Open(t.Context(), name, Options{Data: path, Parser: parser})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

package dataset

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/sandboxtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var box *sandbox.Engine

func TestMain(m *testing.M) {
	sandboxtest.Main(m, func(e *sandbox.Engine) { box = e })
}

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

// judge runs a program of a task in the real sandbox.
func judge(t testing.TB, task Task, code string) sandbox.Judgement {
	t.Helper()
	j, err := box.Exec(t.Context(), task.Program(code))
	if err != nil {
		t.Fatalf("%s: %v", task.ID, err)
	}
	return j
}

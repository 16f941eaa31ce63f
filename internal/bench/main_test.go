package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/sandboxtest"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { sandboxtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/web/mcp"
)

// A client is told where a text belongs, in as many places as it asks for, whatever the text.
func TestLocate(t *testing.T) {
	s := client(t, config(t, tree(t)), nil)
	got := ask(t, s, "locate", map[string]any{"path": "app", "text": "digest uses md5"})
	files, _ := got["files"].([]any)
	if _, ok := got["functions"].([]any); !ok || len(files) != 2 {
		t.Errorf("%v", got)
	}
	for _, text := range []string{strings.Repeat("go ", 100_000), "\x00\u202e\ufffd", strings.Repeat("(", 50_000), "é"} {
		got := ask(t, s, "locate", map[string]any{"path": "app", "text": text, "n": 1})
		if files, _ := got["files"].([]any); len(files) > 1 {
			t.Errorf("n is 1, and there are %d files", len(files))
		}
	}
	ask(t, s, "locate", map[string]any{"path": "app", "text": "go", "n": 1_000_000_000})
	refused(t, s, "locate", map[string]any{"path": "app", "text": " \n"}, "locate needs a text")
	refused(t, s, "locate", map[string]any{"path": "nowhere", "text": "x"})
}

// The index is kept with the codebase, and made anew when that has changed.
func TestTheIndexIsKept(t *testing.T) {
	dir := tree(t)
	s, err := mcp.New(config(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(dir, "app")
	of := func() any {
		x, err := mcp.IndexOf(t.Context(), s, app)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	first := of()
	if of() != first {
		t.Error("nothing has changed, and there is another index")
	}
	if err := os.WriteFile(filepath.Join(app, "c.py"), []byte("def new(): pass\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if of() == first {
		t.Error("there is a new file, and the index is the old one")
	}
}

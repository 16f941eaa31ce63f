//go:build unix

package syntax_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// TestDenseTextStaysOutOfTheHeap parses texts with as many nodes as a text can have. What Go allocates for it is the tree: not
// each size that the parser's memory ever had.
func TestDenseTextStaysOutOfTheHeap(t *testing.T) {
	p := open(t, syntax.Config{Instances: 1, Timeout: 5 * time.Minute})
	for _, tt := range []struct{ language, text string }{{"python", "a=b\n"}, {"c", "a=b;\n"}, {"javascript", "["}} {
		if _, err := p.Parse(t.Context(), tt.language, []byte("a\n")); err != nil { // reads the names
			t.Fatal(err)
		}
		src := []byte(strings.Repeat(tt.text, 1<<18/len(tt.text)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tree, err := p.Parse(t.Context(), tt.language, src)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; grown > 30 {
			t.Errorf("%s: %d MiB for %d nodes", tt.language, grown, tree.Len())
		}
	}
}

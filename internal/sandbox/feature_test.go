package sandbox

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFeatures compares the sandbox with a native interpreter of the same version, from one template.
func TestFeatures(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "features.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	// A file starts with the line "-- name --".
	parts := regexp.MustCompile(`(?m)^-- (\w+)\.(py|out) --\n`).FindAllSubmatchIndex(b, -1)
	if len(parts) < 2*66 {
		t.Fatalf("only %d files", len(parts))
	}
	body := func(i int) string {
		end := len(b)
		if i+1 < len(parts) {
			end = parts[i+1][0]
		}
		return string(b[parts[i][1]:end])
	}
	e := open(t, Config{})
	for i := 0; i+1 < len(parts); i += 2 {
		name := string(b[parts[i][2]:parts[i][3]])
		source, want := body(i), body(i+1)
		t.Run(name, func(t *testing.T) {
			s := session(t, e, SessionConfig{})
			r := run(t, s, source)
			if r.Error != nil {
				t.Fatal(r.Error.Traceback)
			}
			if diff := cmp.Diff(want, r.Output); diff != "" {
				t.Errorf("output differs from native (-native +sandbox):\n%s", diff)
			}
		})
	}
}

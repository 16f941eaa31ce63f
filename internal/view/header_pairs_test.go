package view_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// A hint names a command that does it: deeprepo resume refuses a build of pairs.
func TestABrokenOffRunSaysHowToGoOn(t *testing.T) {
	for manifest, want := range map[string]string{
		`{"schema":1,"command":"pairs build"}`: "the command that began it, with --out ",
		`{"schema":1,"command":"bench"}`:       "deeprepo resume ",
	} {
		h := header(t, runtest.Tree(t, map[string]string{"run.json": manifest}))
		if h.Status != doc.Partial || !strings.Contains(h.Hint, want) {
			t.Errorf("%s: status %s, hint %q", manifest, h.Status, h.Hint)
		}
	}
}

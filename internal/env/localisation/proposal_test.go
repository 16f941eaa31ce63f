package localisation

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func TestAskingForPatch(t *testing.T) {
	text := askingForPatch(presetText)
	for _, gone := range []string{"Do not fix anything", "If you are sure"} {
		if strings.Contains(text, gone) || !strings.Contains(presetText, gone) {
			t.Errorf("%q is still there, or was never", gone)
		}
	}
	for _, come := range []string{"and write the fix", "Put the fix before the lists"} {
		if strings.Count(text, come) != 1 || strings.Contains(presetText, come) {
			t.Errorf("%q does not stand there once", come)
		}
	}
	if strings.Contains(text, "---") {
		t.Error("what parts the pieces is among them")
	}
	if _, err := rlm.ParsePreset(Name, text); err != nil {
		t.Error(err)
	}
}

func TestPropose(t *testing.T) {
	e := &Environment{cfg: Config{Parser: runtest.OpenParser}}
	code := codebase.FromMap(map[string]string{"x.py": "x = 1\n"})
	head := "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-x = 1\n"
	for name, c := range map[string]struct {
		patch           string
		applies, parses *bool
	}{
		"none":           {"", nil, nil},
		"right":          {head + "+x = 2\n", new(true), new(true)},
		"broken":         {head + "+x = (\n", new(true), new(false)},
		"does not apply": {strings.ReplaceAll(head, "x = 1", "x = 3") + "+x = 2\n", new(false), nil},
	} {
		applies, parses, err := e.propose(context.Background(), code, c.patch)
		if d := cmp.Diff([]*bool{c.applies, c.parses}, []*bool{applies, parses}); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
	applies, parses, err := (&Environment{}).propose(context.Background(), code, head+"+x = (\n")
	if err != nil || parses != nil || !*applies {
		t.Errorf("without a parser: %v, %v, %v", applies, parses, err)
	}
}

package view_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view"
)

// No document of a file says where things lie on the machine that it was made on, unless that is asked for.
func TestAnArchiveHidesPathsOfThisMachine(t *testing.T) {
	repo := filepath.Join(t.TempDir(), "shop")
	runtest.WriteFile(t, filepath.Join(repo, "a.py"), "one\n# as in "+repo+"/b.py\nthree\n")
	dir := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
		r.Run.Status = trace.StatusPartial // with a hint that names the directory
		r.Findings = []finding.Finding{{ID: "aaaa1111", Severity: "low", File: "a.py", Line: 1, Explanation: "see\n" + repo + "/a.py."}}
		r.Analysis = "In <" + repo + "> all is well."
	})
	writeTrace(t, dir, trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: "x", Fingerprint: "y", System: "You look at " + repo}},
		trace.Event{Kind: trace.KindRoot, Turn: 1, Key: "t001", Root: &trace.Root{Model: "m", Text: "```python\nopen('" + repo + "/a.py')\n```"}})
	for _, keep := range []bool{false, true} {
		a, err := open(t, dir).Archive(1<<20, keep)
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for resource, text := range a {
			if !json.Valid(text) {
				t.Errorf("%q is no JSON any more", resource)
			}
			for _, path := range []string{repo, dir} {
				if n := strings.Count(string(text), path); n > 0 {
					said++
					if !keep {
						t.Errorf("%q says %s", resource, path)
					}
				}
			}
		}
		if keep && said < 4 {
			t.Errorf("with paths, %d documents say them", said)
		}
		if text := string(a["findings"]); !keep && !strings.Contains(text, `see\nshop/a.py.`) {
			t.Errorf("names do not stand in the place of paths: %s", text)
		}
	}
}

func TestPlacesAreWholePaths(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	p := view.PlacesOf("/srv/code/app", "/srv/code", "relative/path", "/short", "/")
	for in, want := range map[string]string{
		`"/srv/code/app"`: `"app"`, `"/srv/code/app/x.go:3"`: `"app/x.go:3"`, `"in /srv/code/app."`: `"in app."`, `"/srv/code/other"`: `"code/other"`,
		`"/srv/code/app2"`: `"code/app2"`, `"/srv/code/app-old/x"`: `"code/app-old/x"`, `"/srv/codex"`: `"/srv/codex"`, `"a/srv/code/app"`: `"a/srv/code/app"`,
		`"x\n/srv/code/app"`: `"x\napp"`, `"x\\n/srv/code/app"`: `"x\\n/srv/code/app"`, `"\u003c/srv/code/app\u003e"`: `"\u003capp\u003e"`,
		`"/short/x relative/path"`: `"/short/x relative/path"`, `"` + home + `/x"`: `"~/x"`,
	} {
		if got := string(p.Hide([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func FuzzPlaces(f *testing.F) {
	f.Add("see /srv/code/app/x.go", "/srv/code/app")
	f.Add("\n/a/b\\", "/a/b")
	f.Add("/a/b/a/b", "/a/b\u2028<")
	f.Fuzz(func(t *testing.T, text, path string) {
		in, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		out := view.PlacesOf(path).Hide(bytes.Clone(in))
		if !json.Valid(out) {
			t.Fatalf("%s with %q becomes %s", in, path, out)
		}
	})
}

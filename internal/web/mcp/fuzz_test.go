package mcp

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Whatever a client names, what is resolved lies below the roots, and a run's name is one of a directory in the runs'.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{".", "..", "../..", "/etc", "a/../..", "file:///", "file://localhost/etc",
		"file:///%2e%2e/etc", "x\x00y", "", "%"} {
		f.Add(seed)
	}
	root, err := realDir(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if path, err := resolve([]string{root}, name); err == nil && !within(root, path) {
			t.Errorf("%q became %s", name, path)
		}
		if dir, err := rootDir(name); err == nil && !filepath.IsAbs(dir) {
			t.Errorf("the root %q became %s", name, dir)
		}
		if isRunName(name) && filepath.Dir(filepath.Join(root, name)) != root {
			t.Errorf("the run %q is none of the directory's", name)
		}
	})
}

// The path at a report's beginning is that of the whole, and whatever text stands there, a path or an error.
func FuzzPathIn(f *testing.F) {
	f.Add("/src/app", `{"schema":1,"run":{"id":"x"},"repo":{"path":"/a"}`)
	f.Add("", `{"schema":2,"repo":{}}`)
	f.Add("\"", `[`)
	f.Add("\u2028", `{"repo":{"path":"/a"},"schema":1}`)
	f.Fuzz(func(t *testing.T, path, text string) {
		if of, err := pathIn(strings.NewReader(text)); err != nil && of != "" {
			t.Errorf("%q is of %q, and %v", text, of, err)
		}
		var b strings.Builder
		if err := report.WriteJSON(&b, runfile.Report{Schema: report.Schema, Repo: runfile.Repo{Path: path}}); err != nil {
			t.Fatal(err)
		}
		whole, err := report.Read(strings.NewReader(b.String()))
		if of, headErr := pathIn(strings.NewReader(b.String())); err != nil || headErr != nil || of != whole.Repo.Path {
			t.Errorf("%q: %q at the beginning (%v), %q of the whole (%v)", path, of, headErr, whole.Repo.Path, err)
		}
	})
}

func TestPathInIsOfThisVersionsReports(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema":1,"run":{"id":"x"},"repo":{"path":"/a"},"findings":[`: "/a", // what follows is not read
		`{"schema":2,"repo":{"path":"/a"}}`:                              "", `{"repo":{"path":"/a"}}`: "", `{"schema":1}`: "", `{"schema":1,"repo":[]}`: "",
		`[{"schema":1,"repo":{"path":"/a"}}]`: "", ``: "",
	} {
		if path, err := pathIn(strings.NewReader(text)); path != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", text, path, err)
		}
	}
}

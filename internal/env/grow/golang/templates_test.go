package golang

import (
	"bytes"
	"go/format"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// templateFiles calls see with every file below templates: its template, its path in a project, and what it holds.
func templateFiles(t *testing.T, see func(dir, file string, text []byte)) {
	t.Helper()
	err := fs.WalkDir(files, "templates", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		dir, file, _ := strings.Cut(strings.TrimPrefix(name, "templates/"), "/")
		see(dir, strings.TrimSuffix(file, ".tmpl"), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTemplatesAreGo formats every Go file below templates as it stands: names and actions in it are Go as well.
func TestTemplatesAreGo(t *testing.T) {
	formatted := 0
	templateFiles(t, func(dir, file string, text []byte) {
		if path.Ext(file) != ".go" {
			return
		}
		formatted++
		if want, err := format.Source(text); err != nil || !bytes.Equal(want, text) {
			t.Errorf("%s/%s is not formatted (%v):\n%s", dir, file, err, cmp.Diff(string(text), string(want)))
		}
		if lines := bytes.Count(text, []byte("\n")); lines > 400 {
			t.Errorf("%s/%s has %d lines", dir, file, lines)
		}
	})
	if formatted < 50 {
		t.Errorf("only %d files were seen", formatted)
	}
}

// TestEveryTemplateFileIsUsed looks for each file below templates in a project of the size whose types
// TestProjectsTypeCheck checks.
func TestEveryTemplateFileIsUsed(t *testing.T) {
	grown := map[string]map[string]string{}
	for dir, i := range map[string]int{"record": 0, "batch": 1, "relay": 2, "tally": 3} {
		_, texts, err := grow.Grow(Templates()[i], 8, 300)
		if err != nil {
			t.Fatal(err)
		}
		grown[dir] = texts
	}
	name := regexp.MustCompile(`_(file|pkg)_`)
	templateFiles(t, func(dir, file string, _ []byte) {
		pattern := regexp.MustCompile("^" + name.ReplaceAllString(regexp.QuoteMeta(file), "[a-z0-9_]+") + "$")
		for p := range grown[dir] {
			if pattern.MatchString(p) {
				return
			}
		}
		t.Errorf("no project has %s/%s", dir, file)
	})
}

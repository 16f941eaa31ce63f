package golang

import (
	"bytes"
	"go/format"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/google/go-cmp/cmp"
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

// TestEveryLineIsGrown looks for each line of each file below templates in the projects whose types TestProjectsTypeCheck
// checks last, so that none of their branches goes unchecked.
func TestEveryLineIsGrown(t *testing.T) {
	grown := map[string]string{} // what was written with each file, before it was varied
	for i, d := range []design{recordService(), batchImport(), eventRelay(), tallyCLI()} {
		template := Templates()[i]
		template.Grow = func(s grow.Spec) map[string]string {
			w, out := newWriter(s, d), map[string]string{}
			for _, p := range w.parts {
				text := w.fill(p)
				grown[d.dir+"/"+p.text] += "\n" + text
				out[p.path] = w.finish(p, text)
			}
			return out
		}
		if _, _, err := grow.Grow(template, 8, 300); err != nil {
			t.Fatal(err)
		}
	}
	mark := regexp.MustCompile(`_[A-Za-z][a-z][A-Za-z]*_|<%.*%>`)
	templateFiles(t, func(dir, file string, text []byte) {
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			var pattern strings.Builder
			end := 0
			for _, at := range mark.FindAllStringIndex(line, -1) {
				pattern.WriteString(regexp.QuoteMeta(line[end:at[0]]) + ".*")
				end = at[1]
			}
			pattern.WriteString(regexp.QuoteMeta(line[end:]))
			isAction := strings.HasPrefix(strings.TrimSpace(line), "//: ")
			if !isAction && !regexp.MustCompile("(?m)^"+pattern.String()+"$").MatchString(grown[dir+"/"+file]) {
				t.Errorf("%s/%s: no project has %q", dir, file, line)
			}
		}
	})
}

package plant_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

type finders struct{}

func (finders) FirstLine(f *plant.File) { f.Sites = append(f.Sites, plant.Site{Description: f.Text}) }

// load reads one operator, and gives back what Load panics with.
func load(text string) (operators []plant.Operator, wrong string) {
	defer func() {
		if r := recover(); r != nil {
			wrong = fmt.Sprint(r)
		}
	}()
	files := fstest.MapFS{"first_line.txtar": &fstest.MapFile{Data: []byte(text)}}
	return plant.Load("python", files, finders{}, func(find func(*plant.File), f *plant.File) { find(f) }), ""
}

const header = "name: python/first-line\nsplit: train\ncategory: logic\nseverity: low\n"

func TestLoad(t *testing.T) {
	got, wrong := load(header + "cwe: CWE-1\ncross-file: true\nhint: \"with \"\n" +
		"-- before/1/a.py --\na\n-- before/1/lib/b.py --\nb\n-- after/1/lib/b.py --\nc\n" +
		"-- before/2/a.py --\nd\n-- after/2/a.py --\ne\n-- proof/2.py --\nf\n-- never/1.py --\ng\n")
	if wrong != "" || len(got) != 1 {
		t.Fatalf("%d operators, %s", len(got), wrong)
	}
	sites := got[0].Sites
	got[0].Sites = nil
	want := plant.Operator{
		Name: "python/first-line", Language: "python", Split: "train", Category: "logic", CWE: "CWE-1", Severity: "low", CrossFile: true,
		Hint: "with ",
		Samples: []plant.Sample{
			{Files: map[string]string{"a.py": "a\n", "lib/b.py": "b\n"}, Path: "lib/b.py", After: "c\n"},
			{Files: map[string]string{"a.py": "d\n"}, Path: "a.py", After: "e\n", Proof: "f\n"},
		},
		Never: []string{"g\n"},
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p := plant.NewProject(t.Context(), runtest.Parser(t),
		map[string]string{"a.py": "x = 1\n", "tests/a.py": "x = 1\n", "broken.py": "def (\n", "a.ts": "x = 1\n"})
	for _, path := range p.Paths() {
		if found := sites(p, path); len(found) > 0 != (path == "a.py") {
			t.Errorf("%d sites in %s", len(found), path)
		}
	}
}

func TestLoadTakesNoWrongFile(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"another name":  {strings.Replace(header, "first-line", "last-line", 1), `first_line.txtar: name python/last-line, want python/first-line by the file's name`},
		"unknown key":   {header + "cve: 1\n", `first_line.txtar:5: unknown key "cve"`},
		"gap":           {header + "-- before/2/a.py --\na\n", "before/2/a.py: want numbers without a gap"},
		"no path":       {header + "-- before/1.py --\na\n", "before/1/: want numbers without a gap, and a path"},
		"other file":    {header + "-- before/1/a.py --\na\n-- after/1/b.py --\nb\n", "after/1/b.py: want one changed file"},
		"two afters":    {header + "-- before/1/a.py --\na\n-- before/1/b.py --\na\n-- after/1/a.py --\nb\n-- after/1/b.py --\nb\n", "after/1/b.py: want one changed file"},
		"no after":      {header + "-- before/1/a.py --\na\n", "before/1 has no after"},
		"proof of none": {header + "-- proof/1.py --\na\n", "proof/1 is of no sample"},
		"broken hint":   {header + "hint: \"a\n", `hint "a: invalid syntax`},
		"not a flag":    {header + "decoy: yes\n", `decoy is "yes", want true or nothing`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, wrong := load(tc.text); !strings.Contains(wrong, tc.want) {
				t.Errorf("%q, want %q", wrong, tc.want)
			}
		})
	}
}

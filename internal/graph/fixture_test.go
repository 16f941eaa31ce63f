package graph

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// fixture reads the files of testdata/name.txtar, without its sections of expectations.
func fixture(t *testing.T, name string) map[string]string {
	t.Helper()
	files, _ := sections(t, name)
	return files
}

func sections(t *testing.T, name string) (files, expected map[string]string) {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files, expected = map[string]string{}, map[string]string{}
	for _, f := range archive.Files {
		if f.Name == "imports" || f.Name == "bodies" || strings.HasPrefix(f.Name, "symbols ") {
			expected[f.Name] = string(f.Data)
		} else {
			files[f.Name] = string(f.Data)
		}
	}
	return files, expected
}

// mark stands before what a line of a fixture uses: "path:Qualified", with its line behind an @ where several are called so,
// and a confidence that is not exact, or "nothing".
const mark = "=> "

func TestFixtures(t *testing.T) {
	for name := range grammars {
		t.Run(name, func(t *testing.T) { checkFixture(t, name) })
	}
	t.Run("typescript", func(t *testing.T) { checkFixture(t, "typescript") })
}

func checkFixture(t *testing.T, name string) {
	files, expected := sections(t, name)
	g := build(t, files)
	if len(g.Unparsed) > 0 {
		t.Errorf("unparsed: %v", g.Unparsed)
	}
	marks := 0
	for path, text := range files {
		for n, line := range strings.Split(text, "\n") {
			i := max(strings.LastIndex(line, "//"+mark), strings.LastIndex(line, "#"+mark))
			if i < 0 {
				continue
			}
			_, want, _ := strings.Cut(line[i:], mark)
			marks++
			if got := used(g, path, n+1); got != sortedList(want) {
				t.Errorf("%s:%d: %s\n got %s\nwant %s", path, n+1, strings.TrimSpace(line), got, sortedList(want))
			}
		}
	}
	if marks < 5 {
		t.Errorf("only %d lines are checked", marks)
	}
	for section, want := range expected {
		got := importList(g)
		if path, ok := strings.CutPrefix(section, "symbols "); ok {
			got = symbolList(g, path)
		} else if section == "bodies" {
			got = bodyList(t, g)
		}
		if got != want {
			t.Errorf("%s:\n got:\n%swant:\n%s", section, got, want)
		}
	}
}

func sortedList(text string) string {
	list := strings.Split(text, ", ")
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// used writes what a line uses as the marks do.
func used(g *Graph, path string, line int) string {
	var list []string
	for _, e := range g.Uses(path, line, line) {
		s := e.To.File + ":" + e.To.Qualified
		if slices.ContainsFunc(g.Symbols(e.To.File), func(o *Symbol) bool { return o != e.To && o.Qualified == e.To.Qualified }) {
			s += fmt.Sprintf("@%d", e.To.Line)
		}
		if e.Confidence != Exact {
			s += " " + e.Confidence.String()
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return "nothing"
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}

func symbolList(g *Graph, path string) string {
	var b strings.Builder
	for _, s := range g.Symbols(path) {
		fmt.Fprintf(&b, "%s %s %d-%d", s.Qualified, s.Kind, s.Line, s.EndLine)
		if s.Doc != "" {
			b.WriteString(" // " + s.Doc)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// importList writes the imports of all files, in the order of the expectations' paths.
func importList(g *Graph) string {
	var b strings.Builder
	for i := range g.files {
		for _, im := range g.Imports(g.files[i].path) {
			to := strings.Join(im.Files, " ")
			if to == "" {
				to = "external"
			}
			fmt.Fprintf(&b, "%s %s %s\n", g.files[i].path, im.Module, to)
		}
	}
	return b.String()
}

// bodyList writes what stands for each declaration.
func bodyList(t *testing.T, g *Graph) string {
	at := func(s *Symbol) string { return fmt.Sprintf("%s:%d %s", s.File, s.Line, s.Qualified) }
	var b strings.Builder
	for _, s := range g.All() {
		bodies := g.Bodies(s)
		if slices.Contains(bodies, s) {
			continue
		}
		fmt.Fprintf(&b, "%s:", at(s))
		for _, d := range bodies {
			if !slices.Contains(g.Declarations(d), s) {
				t.Errorf("%s does not know its declaration %s", at(d), at(s))
			}
			b.WriteString(" " + at(d))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

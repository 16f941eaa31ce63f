package golang

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// part is one file of a project: where it lies and what writes it. Parts stand in an order in which each needs only
// earlier ones.
type part struct {
	path  string
	write func() string
}

// writer collects what all files of one project share.
type writer struct {
	spec    grow.Spec
	r       *rand.Rand
	module  string
	imports map[string]string // import path by package name, the project's own included
	parts   []part
}

func newWriter(s grow.Spec, std, own []string) *writer {
	w := &writer{spec: s, r: s.Rand, module: "example.com/" + strings.ReplaceAll(s.Name, "_", "-"), imports: map[string]string{}}
	for _, path := range std {
		w.imports[path[strings.LastIndex(path, "/")+1:]] = path
	}
	if path, ok := w.imports["v2"]; ok { // math/rand/v2
		delete(w.imports, "v2")
		w.imports["rand"] = path
	}
	for _, dir := range own {
		w.imports[dir[strings.LastIndex(dir, "/")+1:]] = w.module + "/" + dir
	}
	return w
}

// add plans a file.
func (w *writer) add(path string, write func() string) { w.parts = append(w.parts, part{path, write}) }

// full says whether enough files are planned.
func (w *writer) full() bool { return len(w.parts) >= w.spec.Files }

// files writes the first files of the plan, as many as were asked for.
func (w *writer) files() map[string]string {
	out := make(map[string]string, w.spec.Files)
	for _, p := range w.parts[:min(len(w.parts), w.spec.Files)] {
		text := p.write()
		if strings.HasSuffix(p.path, ".go") {
			text = w.source(text)
		}
		out[p.path] = text
	}
	return out
}

// planned says whether a file is among those that will be written.
func (w *writer) planned(path string) bool {
	for _, p := range w.parts[:min(len(w.parts), w.spec.Files)] {
		if p.path == path {
			return true
		}
	}
	return false
}

// source gives a file its imports, behind its package clause, and its format.
func (w *writer) source(text string) string {
	at := strings.Index("\n"+text, "\npackage ")
	end := at + strings.IndexByte(text[at:], '\n') + 1
	var std, own strings.Builder
	for _, name := range used(text[end:]) {
		switch path := w.imports[name]; {
		case path == "":
		case strings.HasPrefix(path, w.module):
			fmt.Fprintf(&own, "\t%q\n", path)
		default:
			fmt.Fprintf(&std, "\t%q\n", path)
		}
	}
	head := ""
	if std.Len()+own.Len() > 0 {
		gap := ""
		if std.Len() > 0 && own.Len() > 0 {
			gap = "\n"
		}
		head = "\nimport (\n" + std.String() + gap + own.String() + ")\n"
	}
	formatted, err := format.Source([]byte(text[:end] + head + text[end:]))
	if err != nil {
		return text // the tests of the templates see it: it does not parse
	}
	return string(formatted)
}

// used lists the names that stand before a dot and an exported name, outside of strings and comments, in their order.
func used(text string) []string {
	var names []string
	seen := map[string]bool{}
	for i := 0; i < len(text); {
		n, kind := token(text[i:])
		name, next := text[i:i+n], text[i+n:]
		if kind == 'a' && len(next) > 1 && next[0] == '.' && 'A' <= next[1] && next[1] <= 'Z' && (i == 0 || text[i-1] != '.') && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
		i += n
	}
	return names
}

func letter(c byte) bool { return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// fill writes values for names like @E into a text; "@q" is a back quote. Longer names must stand before their heads.
func fill(text string, pairs ...string) string {
	return strings.NewReplacer(append(pairs, "@q", "`")...).Replace(text)
}

// choose picks one of some texts.
func (w *writer) choose(texts ...string) string { return texts[w.r.IntN(len(texts))] }

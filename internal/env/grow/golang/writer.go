package golang

import (
	"fmt"
	"go/format"
	"maps"
	"math/rand/v2"
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// writer writes one project.
type writer struct {
	design
	spec    grow.Spec
	r       *rand.Rand
	module  string
	imports map[string]string // import path by package name, the project's own included
	things  []thing
	parts   []part
	planned map[string]bool // paths of parts
	names   grow.Values     // for texts that belong to no entity
}

// library are the packages of the standard library that files may import.
var library = [...]string{
	"bufio", "bytes", "cmp", "context", "crypto/hmac", "crypto/rand", "crypto/sha256", "crypto/subtle", "crypto/tls",
	"database/sql", "encoding/base64", "encoding/csv", "encoding/hex", "encoding/json", "errors", "flag", "fmt", "html",
	"io", "iter", "log", "log/slog", "maps", "math", "net", "net/http", "net/http/httptest", "net/url", "os", "os/exec",
	"os/signal", "path/filepath", "slices", "sort", "strconv", "strings", "sync", "testing", "text/tabwriter", "time",
}

// write grows a project.
func write(s grow.Spec, d design) map[string]string {
	w := newWriter(s, d)
	out := make(map[string]string, len(w.parts))
	for _, p := range w.parts {
		out[p.path] = w.finish(p, w.fill(p))
	}
	return out
}

// newWriter plans a project.
func newWriter(s grow.Spec, d design) *writer {
	w := &writer{
		design: d, spec: s, r: s.Rand, module: "example.com/" + grow.Kebab(s.Name),
		imports: map[string]string{}, planned: map[string]bool{},
	}
	w.names = grow.Values{
		"module": w.module, "project": s.Name, "name": grow.Kebab(s.Name), "title": grow.Words(s.Name),
		"rule":   strings.Repeat("=", len(s.Name)), // under the name
		"domain": s.Domain.Name, "Domain": grow.Pascal(s.Domain.Name), "prefix": strings.ToUpper(s.Domain.Name),
	}
	for _, e := range s.Domain.Entities(w.r, 2+s.Files/d.perFiles) {
		w.things = append(w.things, newThing(e, w.names))
	}
	for _, name := range library {
		w.imports[path.Base(name)] = name
	}
	for _, dir := range d.own {
		if !ofEntity(dir) {
			w.imports[path.Base(dir)] = w.module + "/" + dir
			continue
		}
		for _, t := range w.things {
			own := grow.FillName(dir, t.values)
			w.imports[path.Base(own)] = w.module + "/" + own
		}
	}
	w.plan()
	w.names["listed"] = w.having(d.listed)
	return w
}

// fill writes the text of a file as its template has it.
func (w *writer) fill(p part) string {
	text := path.Join(w.dir, p.text)
	if !ofEntity(p.text) {
		return texts().Fill(text, w.names)
	}
	values := maps.Clone(p.of.values)
	for _, c := range w.choices {
		if c.file == p.text {
			values[c.name] = c.among[w.r.IntN(len(c.among))]
		}
	}
	if w.values != nil {
		maps.Copy(values, w.values(w, p.of))
	}
	return texts().Fill(text, values)
}

// finish varies the file of an entity, and gives a Go file its imports and format.
func (w *writer) finish(p part, text string) string {
	if ofEntity(p.text) {
		text = w.vary(text)
	}
	if path.Ext(p.path) == ".go" {
		text = w.source(text)
	}
	return text
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

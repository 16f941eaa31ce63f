package python

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"text/template"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// entity is a kind of record with the spellings of its name.
type entity struct {
	Name   string // loan_request
	Names  string // loan_requests
	Class  string // LoanRequest
	Title  string // loan request
	Titles string
	Fields []field
	Chosen map[string]bool // the parts that its files were given
	words  map[string]string
}

// field is a field of an entity as Python writes it.
type field struct {
	Name   string
	Kind   string
	Type   string // annotation
	A, B   string // two different valid values, as literals
	Bad    string // a value that validation refuses, "" where all are fine
	Words  []string
	Title  string
	Getter string // reads it from text: int, str, float
}

func newEntity(e grow.Entity) *entity {
	v := &entity{Name: e.Name, Names: grow.Plural(e.Name), Class: grow.Pascal(e.Name), Chosen: map[string]bool{}, words: map[string]string{}}
	v.Title, v.Titles = grow.Words(v.Name), grow.Words(v.Names)
	for _, f := range e.Fields {
		v.Fields = append(v.Fields, newField(f))
	}
	return v
}

func newField(f grow.Field) field {
	v := field{Name: f.Name, Words: f.Words, Title: grow.Words(f.Name)}
	set := func(kind, typ, a, b, bad, getter string) {
		v.Kind, v.Type, v.A, v.B, v.Bad, v.Getter = kind, typ, a, b, bad, getter
	}
	switch f.Kind {
	case grow.Text:
		set("text", "str", `"north gate"`, `"second row"`, `""`, "str")
	case grow.Email:
		set("email", "str", `"ada@example.org"`, `"lin@example.org"`, `"nobody"`, "str")
	case grow.Cents:
		set("cents", "int", "1250", "300", "-1", "int")
	case grow.Count:
		set("count", "int", "4", "9", "-3", "int")
	case grow.Ratio:
		set("ratio", "float", "0.25", "0.5", "1.5", "float")
	case grow.Time:
		set("time", "int", "1700000000", "1700086400", "-60", "int")
	case grow.Flag:
		set("flag", "bool", "True", "False", "", "bool")
	case grow.State:
		set("state", "str", fmt.Sprintf("%q", f.Words[0]), fmt.Sprintf("%q", f.Words[1]), `"elsewhere"`, "str")
	case grow.Tags:
		set("tags", "list[str]", `["red", "tall"]`, `["late"]`, "", "list")
	}
	return v
}

// First is the entity's first field: always a text.
func (e *entity) First() field { return e.Fields[0] }

// Of gives the fields of the kinds.
func (e *entity) Of(kinds ...string) []field {
	var all []field
	for _, f := range e.Fields {
		for _, k := range kinds {
			if f.Kind == k {
				all = append(all, f)
			}
		}
	}
	return all
}

// scope is what a template sees.
type scope struct {
	Pkg, Domain, Title string
	E                  *entity
	Entities           []*entity // those that have files
	w                  *writer
}

// With says whether the project has a unit, of this entity ("e/NAME") or shared.
func (s *scope) With(name string) bool {
	if own, ok := strings.CutPrefix(name, "e/"); ok {
		return s.w.have[s.E.Name+"/"+own]
	}
	return s.w.have[name]
}

// Has says whether a part was chosen for this entity.
func (s *scope) Has(part string) bool { return s.E.Chosen[part] }

// Word chooses among spellings once for each entity (or, in shared files, for the project).
func (s *scope) Word(key string, among ...string) string {
	words := s.w.words
	if s.E != nil {
		words = s.E.words
	}
	if words[key] == "" {
		words[key] = among[s.w.r.IntN(len(among))]
	}
	return words[key]
}

// writer renders the units of one project.
type writer struct {
	t    *template.Template
	r    *rand.Rand
	base scope
	have map[string]bool

	words map[string]string
}

func newWriter(dir string, s grow.Spec, entities []*entity, chosen []planned) *writer {
	w := &writer{r: s.Rand, have: map[string]bool{}, words: map[string]string{}}
	seen := map[string]bool{}
	for _, c := range chosen {
		key := c.name
		if c.e != nil {
			key = c.e.Name + "/" + c.name
			if !seen[c.e.Name] {
				seen[c.e.Name] = true
				w.base.Entities = append(w.base.Entities, c.e)
			}
		}
		w.have[key] = true
	}
	w.base.Pkg, w.base.Domain, w.base.Title = s.Name, s.Domain.Name, grow.Words(s.Name)
	w.base.w = w
	w.t = template.New(dir).Delims("<%", "%>").Funcs(template.FuncMap{
		"one":   w.one,  // one of the blocks
		"some":  w.some, // so many of the blocks, in any order, one blank line between them
		"mix":   func(s *scope, blocks ...string) (string, error) { return w.some(s, len(blocks), blocks...) },
		"tops":  w.tops, // so many of the blocks, two blank lines between them
		"pick":  func(words ...string) string { return words[w.r.IntN(len(words))] },
		"num":   func(low, high int) int { return low + w.r.IntN(high-low+1) },
		"inc":   func(i int) int { return i + 1 },
		"rule":  func(text string) string { return strings.Repeat("=", len(text)) },
		"upper": strings.ToUpper,
	})
	template.Must(w.t.ParseFS(templates, "templates/"+dir+"/*.tmpl"))
	return w
}

func (w *writer) one(s *scope, blocks ...string) (string, error) { return w.some(s, 1, blocks...) }

func (w *writer) some(s *scope, n int, blocks ...string) (string, error) {
	return w.join(s, n, "\n\n", blocks)
}

func (w *writer) tops(s *scope, n int, blocks ...string) (string, error) {
	return w.join(s, n, "\n\n\n", blocks)
}

func (w *writer) join(s *scope, n int, between string, blocks []string) (string, error) {
	w.r.Shuffle(len(blocks), func(a, b int) { blocks[a], blocks[b] = blocks[b], blocks[a] })
	var parts []string
	for _, name := range blocks[:min(n, len(blocks))] {
		var b strings.Builder
		if err := w.t.ExecuteTemplate(&b, name, s); err != nil {
			return "", err
		}
		if s.E != nil {
			s.E.Chosen[name] = true
		}
		if text := strings.Trim(b.String(), "\n"); strings.TrimSpace(text) != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, between), nil
}

func (w *writer) path(c planned) string {
	p := strings.ReplaceAll(c.unit.path, "<pkg>", w.base.Pkg)
	if c.e != nil {
		p = strings.NewReplacer("<es>", c.e.Names, "<e>", c.e.Name).Replace(p)
	}
	return p
}

var (
	trailing = regexp.MustCompile(`(?m)[ \t]+$`)
	blanks   = regexp.MustCompile(`\n{4,}`)
)

func (w *writer) render(c planned) string {
	s := w.base
	s.E = c.e
	var b strings.Builder
	if err := w.t.ExecuteTemplate(&b, c.name+".tmpl", &s); err != nil {
		panic(fmt.Sprintf("template %s: %v", c.name, err)) // the templates are ours: a mistake in them is one in this program
	}
	text := trailing.ReplaceAllString(b.String(), "")
	text = blanks.ReplaceAllString(usedImports(text), "\n\n\n")
	return strings.Trim(text, "\n") + "\n"
}

var (
	fromImport  = regexp.MustCompile(`^from (\S+) import ([\w, ]+)$`)
	plainImport = regexp.MustCompile(`^import ([\w.]+)$`)
	word        = regexp.MustCompile(`\w+`)
)

// usedImports leaves out what a file imports and does not use: which parts of a file there are was chosen after its
// imports were written.
func usedImports(text string) string {
	uses := map[string]int{}
	for _, w := range word.FindAllString(text, -1) {
		uses[w]++
	}
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if m := plainImport.FindStringSubmatch(line); m != nil {
			if uses[strings.Split(m[1], ".")[0]] < 2 {
				continue
			}
		} else if m := fromImport.FindStringSubmatch(line); m != nil && m[1] != "__future__" {
			var names []string
			for _, name := range strings.Split(m[2], ", ") {
				bound := name
				if _, alias, ok := strings.Cut(name, " as "); ok {
					bound = alias
				}
				if uses[bound] > 1 {
					names = append(names, name)
				}
			}
			if len(names) == 0 {
				continue
			}
			line = "from " + m[1] + " import " + strings.Join(names, ", ")
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

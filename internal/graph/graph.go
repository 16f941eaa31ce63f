package graph

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// Graph is a codebase's code graph. It never changes and is safe for concurrent use.
type Graph struct {
	// Unparsed are the files in a language that is parsed which the graph knows nothing of, in the order of their paths.
	Unparsed []Unparsed

	code       *codebase.Codebase
	files      []file // in the order of their paths
	byPath     map[string]int32
	symbols    []Symbol
	members    map[member][]int32 // of a holder, or of a function
	opened     map[int32]int32    // Ruby classes that are opened again, by the one that they belong to
	byName     map[string][]int32 // symbols that other code can see, by family, a NUL and name
	packages   []pkg
	byPkg      map[string]int32 // by family, a NUL and the directory or namespace
	modules    []goModule
	goPackages map[string]string // names by directory
	scripts    scriptRoots
	bySuffix   map[string][]int32 // C's files by base name
	edges      []edge             // by the file and line where they stand
	into       []int32            // indices of edges by their target
	imports    []imported         // by file, in source order

	outliers sync.Once
	outlying []Outlier
}

// Unparsed is a file that was left out, and why.
type Unparsed struct{ File, Reason string }

// Symbol is a definition.
type Symbol struct {
	Name      string `json:"name"`
	Qualified string `json:"qualified"` // within the file: "Signer.sign"
	Kind      Kind   `json:"kind"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	EndLine   int    `json:"end_line"`
	Signature string `json:"signature"`
	Doc       string `json:"doc,omitempty"`
	Exported  bool   `json:"exported"`
	Parent    string `json:"parent,omitempty"` // the definition that it belongs to, qualified

	id     int32
	file   int32
	parent int32 // what it belongs to, which may stand in another file; -1 for none
	in     int32 // what it stands in
	facts  *symbol
}

// Edge is a place where one symbol uses another.
type Edge struct {
	From       *Symbol    `json:"from"` // the innermost around the place, nil outside of all
	To         *Symbol    `json:"to"`
	File       string     `json:"file"`
	Line       int        `json:"line"`
	Role       Role       `json:"role"`
	Confidence Confidence `json:"confidence"`
}

// Import is a file or module that a file brings in.
type Import struct {
	Module string   `json:"module"`          // as the file names it
	Files  []string `json:"files,omitempty"` // where it stands in the codebase, empty for an external one
	Name   string   `json:"name,omitempty"`  // what of it is brought in, "" for all or the module itself
	Line   int      `json:"line"`
}

type file struct {
	path, family string
	facts        *facts
	first        int32 // its first symbol's id
	pkg          int32 // its package, -1 for none
	test         bool
	top          map[string]int32   // its outermost symbols; the last of a name
	scope        map[scoped]int32   // its imports by the name that they have here
	binds        map[scoped]int32   // its local names: the index of the one to go by
	stars        []int32            // its imports of everything
	exports      map[string][]int32 // imports that it hands on, by name
}

type scoped struct {
	in   int32 // in the file, -1 for the file
	name string
}

type member struct {
	of   int32
	name string
}

// edge is an Edge as it is kept.
type edge struct {
	from, to, file, line int32 // from is -1 for none
	role                 Role
	confidence           Confidence
}

type imported struct {
	file  int32
	fact  int32
	files []int32
}

// local turns a symbol's id into its index in its file.
func (g *Graph) local(id int32) int32 { return id - g.files[g.symbols[id].file].first }

// within is a symbol's index in a file, -1 where it is none or stands in another.
func (g *Graph) within(id, file int32) int32 {
	if id < 0 || g.symbols[id].file != file {
		return -1
	}
	return g.local(id)
}

// Symbols lists a file's definitions in source order.
func (g *Graph) Symbols(path string) []*Symbol {
	i, ok := g.byPath[path]
	if !ok {
		return nil
	}
	f := &g.files[i]
	list := make([]*Symbol, len(f.facts.Symbols))
	for k := range list {
		list[k] = &g.symbols[f.first+int32(k)]
	}
	return list
}

// All lists every symbol, by file and place.
func (g *Graph) All() []*Symbol {
	list := make([]*Symbol, len(g.symbols))
	for i := range g.symbols {
		list[i] = &g.symbols[i]
	}
	return list
}

// Definition finds symbols by a short name ("sign"), a qualified one ("Signer.sign"), or either behind a path and a colon.
// Definitions come before declarations, exported ones before others, code before tests.
func (g *Graph) Definition(name string) []*Symbol {
	path, rest, found := strings.Cut(name, ":")
	if _, ok := g.byPath[path]; found && ok {
		name = rest
	} else {
		path = ""
		name = strings.NewReplacer("::", ".", "#", ".", "->", ".", `\`, ".").Replace(strings.TrimSuffix(name, "()"))
	}
	var list []*Symbol
	short := name[strings.LastIndexByte(name, '.')+1:]
	for _, id := range g.named(short) {
		s := &g.symbols[id]
		if path != "" && s.File != path {
			continue
		}
		if s.Name == name || s.Qualified == name || strings.HasSuffix(s.Qualified, "."+name) || g.packaged(s) == name {
			list = append(list, s)
		}
	}
	weight := func(s *Symbol) int {
		w := 0
		if g.files[s.file].test {
			w += 4
		}
		if s.facts.Declared {
			w += 2
		}
		if !s.Exported {
			w++
		}
		return w
	}
	slices.SortStableFunc(list, func(a, b *Symbol) int { return cmp.Compare(weight(a), weight(b)) })
	return list
}

// packaged is a symbol's name with its package's or its file's before it: graph.Build.
func (g *Graph) packaged(s *Symbol) string {
	f := &g.files[s.file]
	name := f.facts.Package
	if name == "" {
		name = stem(f.path)
	}
	return strings.ReplaceAll(name, `\`, ".") + "." + s.Qualified
}

// stem is a path's base without its extension.
func stem(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return base
}

// named lists the symbols of a name in all languages, in the order of their ids.
func (g *Graph) named(name string) []int32 {
	var list []int32
	for family := range grammars {
		list = append(list, g.byName[family+"\x00"+name]...)
	}
	slices.Sort(list)
	return list
}

// Callers lists where a symbol is called, and where a function is handed on as a value.
func (g *Graph) Callers(s *Symbol) []Edge {
	return g.references(s, func(e *edge) bool { return e.role == Calls || e.role == Reads && s.Kind.callable() })
}

// References lists all places that use a symbol.
func (g *Graph) References(s *Symbol) []Edge {
	return g.references(s, func(*edge) bool { return true })
}

func (g *Graph) references(s *Symbol, want func(*edge) bool) []Edge {
	var list []Edge
	for _, e := range g.edgesInto(s.id) {
		if want(e) {
			list = append(list, g.edge(e))
		}
	}
	return list
}

// edgesInto are the edges to a symbol, edgesIn those that stand in a file.
func (g *Graph) edgesInto(id int32) []*edge {
	from, _ := slices.BinarySearchFunc(g.into, id, func(i, id int32) int { return cmp.Compare(g.edges[i].to, id) })
	var list []*edge
	for _, i := range g.into[from:] {
		if g.edges[i].to != id {
			break
		}
		list = append(list, &g.edges[i])
	}
	return list
}

func (g *Graph) edgesIn(file int32) []edge {
	from, _ := slices.BinarySearchFunc(g.edges, file, func(e edge, f int32) int { return cmp.Compare(e.file, f) })
	to, _ := slices.BinarySearchFunc(g.edges, file+1, func(e edge, f int32) int { return cmp.Compare(e.file, f) })
	return g.edges[from:to]
}

func (g *Graph) edge(e *edge) Edge {
	out := Edge{To: &g.symbols[e.to], File: g.files[e.file].path, Line: int(e.line), Role: e.role, Confidence: e.confidence}
	if e.from >= 0 {
		out.From = &g.symbols[e.from]
	}
	return out
}

// Callees lists what a symbol's own lines call or use, those of the definitions within it included.
func (g *Graph) Callees(s *Symbol) []Edge {
	var list []Edge
	for _, e := range g.Uses(s.File, s.Line, s.EndLine) {
		if e.To != s && e.From != nil && (e.From == s || holds(e.From, s)) {
			list = append(list, e)
		}
	}
	return list
}

func holds(s, outer *Symbol) bool {
	return s.File == outer.File && outer.Line <= s.Line && s.EndLine <= outer.EndLine
}

// Uses lists what lines of a file use, in source order.
func (g *Graph) Uses(path string, from, to int) []Edge {
	i, ok := g.byPath[path]
	if !ok {
		return nil
	}
	start, _ := slices.BinarySearchFunc(g.edges, edge{file: i, line: int32(from)}, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	var list []Edge
	for k := start; k < len(g.edges) && g.edges[k].file == i && int(g.edges[k].line) <= to; k++ {
		list = append(list, g.edge(&g.edges[k]))
	}
	return list
}

// At gives the innermost definition that holds a line, nil for none.
func (g *Graph) At(path string, line int) *Symbol {
	var in *Symbol
	for _, s := range g.Symbols(path) {
		if s.Line > line {
			break
		}
		if line <= s.EndLine && (in == nil || s.EndLine <= in.EndLine) && s.Kind != KindVariable && s.Kind != KindConstant {
			in = s
		}
	}
	return in
}

// Imports lists what a file brings in.
func (g *Graph) Imports(path string) []Import {
	i, ok := g.byPath[path]
	if !ok {
		return nil
	}
	start, _ := slices.BinarySearchFunc(g.imports, i, func(a imported, i int32) int { return cmp.Compare(a.file, i) })
	var list []Import
	for _, im := range g.imports[start:] {
		if im.file != i {
			break
		}
		b := &g.files[i].facts.Imports[im.fact]
		out := Import{Module: b.Module, Line: int(b.Line)}
		if b.Name != "*" {
			out.Name = b.Name
		}
		for _, f := range im.files {
			out.Files = append(out.Files, g.files[f].path)
		}
		list = append(list, out)
	}
	return list
}

// Importers lists the files that bring a file in, or its package, by path.
func (g *Graph) Importers(path string) []string {
	i, ok := g.byPath[path]
	if !ok {
		return nil
	}
	var list []string
	for _, im := range g.imports {
		if im.file != i && slices.Contains(im.files, i) && (len(list) == 0 || list[len(list)-1] != g.files[im.file].path) {
			list = append(list, g.files[im.file].path)
		}
	}
	return list
}

// Knows reports a file that the graph was built of.
func (g *Graph) Knows(path string) bool {
	_, ok := g.byPath[path]
	return ok
}

// IsTest reports a file that holds tests by its language's customs.
func (g *Graph) IsTest(path string) bool {
	i, ok := g.byPath[path]
	return ok && g.files[i].test
}

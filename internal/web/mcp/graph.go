package mcp

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/suggest"
)

type graphIn struct {
	Path  string `json:"path" jsonschema:"directory of the codebase"`
	Query string `json:"query" jsonschema:"definition, callers, callees, imports, importers, related or symbols"`
	Name  string `json:"name,omitempty" jsonschema:"for definition, callers and callees: a name as sign, Signer.sign or src/a.py:Signer.sign"`
	File  string `json:"file,omitempty" jsonschema:"for the others: a file's path in the codebase"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most so many, up to 200; default 20"`
}

type graphOut struct {
	Symbols  []symbol  `json:"symbols,omitempty"`
	Uses     []use     `json:"uses,omitempty"`
	Imports  []imports `json:"imports,omitempty"`
	Files    []related `json:"files,omitempty"`
	Total    int       `json:"total"`    // more than is listed where the limit cut
	Unparsed int       `json:"unparsed"` // files of a parsed language that the graph knows nothing of
}

type symbol struct {
	Name      string `json:"name"` // within the file
	Kind      string `json:"kind"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	EndLine   int    `json:"end_line"`
	Signature string `json:"signature"`
	Doc       string `json:"doc,omitempty"`
}

func symbolOf(s *graph.Symbol) symbol {
	return symbol{s.Qualified, string(s.Kind), s.File, s.Line, s.EndLine, s.Signature, s.Doc}
}

// use is a place where one definition uses another.
type use struct {
	From       string `json:"from,omitempty"` // path:name; absent outside of all definitions
	To         string `json:"to"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Role       string `json:"role"`
	Confidence string `json:"confidence"` // exact, likely or possible
}

type imports struct {
	Module string   `json:"module"`
	Name   string   `json:"name,omitempty"`
	Line   int      `json:"line"`
	Files  []string `json:"files"` // where it stands in the codebase; none for an external one
}

type related struct {
	File string `json:"file"`
	Why  string `json:"why,omitempty"`
}

func (s *Server) graph(ctx context.Context, c *call, in graphIn) (graphOut, error) {
	path, err := resolve(c.roots, in.Path)
	if err != nil {
		return graphOut{}, err
	}
	_, limit, _ := page("", in.Limit)
	ask := map[string]func(*graph.Graph, *graphOut){
		"definition": func(g *graph.Graph, out *graphOut) {
			out.Symbols, out.Total = list(g.Definition(in.Name), limit, symbolOf)
		},
		"callers": func(g *graph.Graph, out *graphOut) { out.Uses, out.Total = uses(g, in.Name, limit, g.Callers) },
		"callees": func(g *graph.Graph, out *graphOut) { out.Uses, out.Total = uses(g, in.Name, limit, g.Callees) },
		"imports": func(g *graph.Graph, out *graphOut) {
			out.Imports, out.Total = list(g.Imports(in.File), limit, func(i graph.Import) imports {
				return imports{i.Module, i.Name, i.Line, append([]string{}, i.Files...)}
			})
		},
		"importers": func(g *graph.Graph, out *graphOut) {
			out.Files, out.Total = list(g.Importers(in.File), limit, func(file string) related { return related{File: file} })
		},
		"related": func(g *graph.Graph, out *graphOut) {
			out.Files, out.Total = list(g.Related(in.File, limit), limit, func(r graph.Relation) related { return related{r.File, r.Why} })
		},
		"symbols": func(g *graph.Graph, out *graphOut) {
			out.Symbols, out.Total = list(g.Symbols(in.File), limit, symbolOf)
		},
	}[in.Query]
	if ask == nil {
		return graphOut{}, hint.New("there is no query "+quoted(in.Query),
			"use definition, callers, callees, imports, importers, related or symbols")
	}
	byName := slices.Contains([]string{"definition", "callers", "callees"}, in.Query)
	switch {
	case byName && in.Name == "":
		return graphOut{}, hint.New(in.Query+" needs a name", "as sign, Signer.sign or src/a.py:Signer.sign")
	case !byName && in.File == "":
		return graphOut{}, hint.New(in.Query+" needs a file", "a path in the codebase, as src/a.py")
	}
	e, release, err := s.graphs.of(ctx, s, path)
	if err != nil {
		return graphOut{}, err
	}
	code, g := e.code, e.graph
	release()
	if _, known := code.File(in.File); !byName && !known {
		return graphOut{}, nearest("the codebase has no file "+quoted(in.File), in.File, code.Paths(), "paths are relative to the codebase")
	}
	if byName && len(g.Definition(in.Name)) == 0 {
		var names []string
		for _, s := range g.All() {
			names = append(names, s.Name)
		}
		return graphOut{}, nearest("nothing is defined as "+quoted(in.Name), in.Name, names, "the query symbols lists a file's definitions")
	}
	out := graphOut{Unparsed: len(g.Unparsed)}
	ask(g, &out)
	return out, nil
}

func nearest(what, name string, known []string, otherwise string) error {
	if near := suggest.Nearest(name, known); near != "" {
		otherwise = "did you mean " + near + "?"
	}
	return hint.New(what, otherwise)
}

// list is the beginning of some answers in a form of their own, and how many there are.
func list[A, B any](all []A, limit int, as func(A) B) ([]B, int) {
	some := make([]B, 0, min(len(all), limit))
	for _, one := range all[:min(len(all), limit)] {
		some = append(some, as(one))
	}
	return some, len(all)
}

// uses are the edges at each definition of a name.
func uses(g *graph.Graph, name string, limit int, edges func(*graph.Symbol) []graph.Edge) ([]use, int) {
	var all []graph.Edge
	for _, s := range g.Definition(name) {
		all = append(all, edges(s)...)
	}
	return list(all, limit, func(e graph.Edge) use {
		u := use{To: placeOf(e.To), File: e.File, Line: e.Line, Role: e.Role.String(), Confidence: e.Confidence.String()}
		if e.From != nil {
			u.From = placeOf(e.From)
		}
		return u
	})
}

func placeOf(s *graph.Symbol) string { return s.File + ":" + s.Qualified }

// graphs are the graphs of the codebases that were asked about last.
type graphs struct {
	mu   sync.Mutex
	kept []*kept // the latest last
}

// kept is a codebase's graph, which is that of its content: it is read anew when that has changed.
type kept struct {
	path   string
	turn   chan struct{} // whoever put something in may read and write what follows
	code   *codebase.Codebase
	stamps stamps // of code
	graph  *graph.Graph
	index  *locate.Index // of the graph's codebase; nil until it is asked for
}

// graphsKept is how many graphs stay in memory.
const graphsKept = 4

// of is the codebase as it is now, with its graph. The caller has the turn until it calls release.
func (k *graphs) of(ctx context.Context, s *Server, path string) (_ *kept, release func(), err error) {
	k.mu.Lock()
	i := slices.IndexFunc(k.kept, func(e *kept) bool { return e.path == path })
	e := &kept{path: path, turn: make(chan struct{}, 1)}
	if i >= 0 {
		e = k.kept[i]
		k.kept = slices.Delete(k.kept, i, i+1)
	}
	if k.kept = append(k.kept, e); len(k.kept) > graphsKept {
		k.kept = slices.Delete(k.kept, 0, 1)
	}
	k.mu.Unlock()
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	release = func() { <-e.turn }
	if err := e.refresh(ctx, s); err != nil {
		release()
		return nil, nil, err
	}
	return e, release, nil
}

// refresh reads the codebase again where it has changed. The caller has the turn.
func (e *kept) refresh(ctx context.Context, s *Server) error {
	if e.stamps.hold(e.path) {
		return nil
	}
	began := time.Now()
	code, err := codebase.Load(ctx, e.path, codebase.Options{})
	if err != nil {
		return err
	}
	e.stamps = nil
	if e.graph == nil || e.code.Hash() != code.Hash() {
		g, err := graph.Build(ctx, code, graph.Options{Parser: s.c.Parser, CacheDir: s.c.GraphDir})
		if err != nil {
			return err
		}
		e.code, e.graph, e.index = code, g, nil
	}
	e.stamps = stampsOf(ctx, e.path, code, began)
	return nil
}

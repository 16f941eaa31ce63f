package rlm

import (
	"context"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// subject is what a question to the code graph is about.
type subject struct {
	About string   `json:"about"` // a path or a name
	Paths []string `json:"paths"`
}

// rows is the answer of the code graph: each row as data, and as text for the eye.
type rows struct {
	Rows  []any    `json:"rows"`
	Texts []string `json:"texts"`
}

// add appends a row and its line.
func (r *rows) add(row any, format string, args ...any) {
	r.Rows = append(r.Rows, row)
	r.Texts = append(r.Texts, strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// knowing is a host call that asks the code graph.
func knowing(name string, ask func(surface, *graph.Graph, subject) (rows, error)) hostCall {
	return noted(name, func(n surface, ctx context.Context, about subject) (answered, error) {
		g, err := n.graph(ctx)
		if err != nil {
			return answered{}, err
		}
		got, err := ask(n, g, about)
		if err != nil {
			return answered{}, err
		}
		if got.Rows == nil {
			got.Rows, got.Texts = []any{}, []string{}
		}
		return answered{got, fmt.Sprintf("%d rows", len(got.Rows))}, nil
	})
}

// inCodebase is an error unless a path is one of the codebase.
func (n *node) inCodebase(path string) error {
	if _, ok := n.run.cfg.Codebase.Text(path); !ok {
		return fmt.Errorf("%q is not in the codebase", path)
	}
	return nil
}

func (n surface) symbols(g *graph.Graph, a subject) (r rows, err error) {
	for _, s := range g.Symbols(a.About) {
		r.add(s, "%d-%d %s %s  %s", s.Line, s.EndLine, s.Kind, s.Qualified, oneLine(s.Signature, 120))
	}
	return r, n.inCodebase(a.About)
}

func (n surface) definition(g *graph.Graph, a subject) (r rows, err error) {
	for _, s := range g.Definition(a.About) {
		r.add(s, "%s:%d-%d %s %s  %s", s.File, s.Line, s.EndLine, s.Kind, s.Qualified, oneLine(s.Signature, 120))
	}
	return r, nil
}

// use is one edge of the graph, with the line of code that makes it.
type use struct {
	File       string           `json:"file"`
	Line       int              `json:"line"`
	From       string           `json:"from"` // what the place stands in, "" for the file itself
	To         string           `json:"to"`
	ToFile     string           `json:"to_file"`
	ToLine     int              `json:"to_line"`
	Role       graph.Role       `json:"role"`
	Confidence graph.Confidence `json:"confidence"`
	Text       string           `json:"text"`
}

// use makes a row of an edge.
func (n *node) use(e graph.Edge) use {
	u := use{File: e.File, Line: e.Line, To: e.To.Qualified, ToFile: e.To.File, ToLine: e.To.Line, Role: e.Role, Confidence: e.Confidence}
	if e.From != nil {
		u.From = e.From.Qualified
	}
	text, _ := n.run.cfg.Codebase.Text(e.File)
	if line, ok := finding.Quote(text, e.Line, e.Line); ok {
		u.Text = termtext.CutWith(strings.TrimSpace(line), 160, " ...")
	}
	return u
}

// unsure marks what the graph does not know for certain.
func unsure(c graph.Confidence) string {
	if c == graph.Exact {
		return ""
	}
	return " (" + c.String() + ")"
}

// edges asks the graph about each definition of a name; a name without a definition is an error.
func (n surface) edges(g *graph.Graph, name string, of func(*graph.Symbol) []graph.Edge, add func(*rows, use)) (r rows, err error) {
	all := g.Definition(name)
	if len(all) == 0 {
		return r, fmt.Errorf("%q is not defined in the codebase: definition(name), symbols(path) and grep find names", name)
	}
	for _, s := range all {
		for _, e := range of(s) {
			add(&r, n.use(e))
		}
	}
	return r, nil
}

func (n surface) callers(g *graph.Graph, a subject) (rows, error) {
	return n.edges(g, a.About, g.Callers, func(r *rows, u use) {
		r.add(u, "%s:%d in %s%s: %s", u.File, u.Line, orFile(u.From), unsure(u.Confidence), u.Text)
	})
}

func (n surface) callees(g *graph.Graph, a subject) (rows, error) {
	return n.edges(g, a.About, g.Callees, func(r *rows, u use) {
		r.add(u, "%s %s:%d%s, called at %s:%d: %s", u.To, u.ToFile, u.ToLine, unsure(u.Confidence), u.File, u.Line, u.Text)
	})
}

func orFile(symbol string) string {
	if symbol == "" {
		return "the file itself"
	}
	return symbol
}

func (n surface) imports(g *graph.Graph, a subject) (r rows, err error) {
	for _, i := range g.Imports(a.About) {
		where := "outside of the codebase"
		if len(i.Files) > 0 {
			where = strings.Join(i.Files[:min(len(i.Files), 3)], ", ")
		}
		what := i.Module
		if i.Name != "" {
			what += " " + i.Name
		}
		r.add(i, "%d: %s -> %s", i.Line, what, where)
	}
	return r, n.inCodebase(a.About)
}

func (n surface) importers(g *graph.Graph, a subject) (r rows, err error) {
	for _, path := range g.Importers(a.About) {
		r.add(path, "%s", path)
	}
	return r, n.inCodebase(a.About)
}

func (n surface) related(g *graph.Graph, a subject) (r rows, err error) {
	for _, one := range g.Related(a.About, maxGroups) {
		r.add(one, "%s: %s", one.File, one.Why)
	}
	return r, n.inCodebase(a.About)
}

// maxGroups bounds how many groups and outliers one call gives.
const maxGroups = 25

func (n surface) variants(g *graph.Graph, a subject) (r rows, err error) {
	var paths []string
	if len(a.Paths) > 0 {
		chosen, err := n.choose(a.Paths)
		if err != nil {
			return r, err
		}
		for _, c := range chosen {
			paths = append(paths, c.path)
		}
	}
	for i, v := range g.Variants(paths) {
		if i == maxGroups {
			break
		}
		r.add(v, "%s", v)
	}
	return r, nil
}

func (n surface) outliers(g *graph.Graph, _ subject) (r rows, err error) {
	for i, o := range g.Outliers() {
		if i == maxGroups {
			break
		}
		var siblings []string
		for _, s := range o.Siblings {
			siblings = append(siblings, fmt.Sprintf("%s:%d", s.File, s.Line))
		}
		r.add(o, "%s:%d %s differs from %d siblings (%s)\n%s", o.Symbol.File, o.Symbol.Line, o.Symbol.Qualified, o.Of-1,
			strings.Join(siblings, " "), departures(o.Departures))
	}
	return r, nil
}

// departures are the places where a piece of code differs from its siblings, each in a line.
func departures(all []graph.Departure) string {
	var b strings.Builder
	const most = 12
	for i, d := range all {
		if i == most {
			fmt.Fprintf(&b, "    ... %d more\n", len(all)-most)
			break
		}
		fmt.Fprintf(&b, "    %s:%d has %s where %d of %d have %s\n", d.File, d.Line, inTicks(d.Has), d.Agree, d.Of, inTicks(d.Usual))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func inTicks(code string) string {
	if code == "" {
		return "nothing"
	}
	return "`" + oneLine(code, 120) + "`"
}

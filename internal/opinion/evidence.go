package opinion

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// How much code a verifier is shown, in bytes. A model's own limit may be lower.
const (
	most       = 20_000 // in all
	enough     = 10_000 // beyond which what is only near is left out
	smallFile  = 3_000  // that is shown whole
	mostEach   = 3_000  // of one definition
	mostClass  = 1_200  // of a class beside its methods
	mostCalls  = 4      // places that call the finding's function
	aroundCall = 3      // lines on each side
)

// prompt puts a finding and the code that decides it into at most limit characters, and lists the files that it shows. The
// code comes first, so that prompts on the same code begin alike.
func (o *Opinions) prompt(ctx context.Context, f finding.Finding, limit int) (prompt string, shown []string) {
	var b strings.Builder
	row := func(name, text string, most int) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, termtext.CutWith(text, most, " ..."))
		}
	}
	row("file", fmt.Sprintf("%s, lines %d to %d", header(f.File), f.Line, f.EndLine), 4096)
	row("kind", strings.TrimSpace(f.Severity+" "+f.Category+" "+f.CWE), 200)
	row("title", f.Title, 300)
	row("explanation", f.Explanation, limit/8)
	row("code that it quotes", "\n"+f.Evidence, limit/8)
	const before, after = "=== END ===\n\nThe finding:\n\n", "\nTry to refute it. Reply with the JSON object alone.\n"

	room := min(limit-b.Len()-len(before)-len(after), most)
	e := evidence{sheet: newSheet(o.code, o.base, room), o: o, g: o.base.Graph(ctx), f: f}
	e.collect(ctx)
	return e.text() + before + b.String() + after, e.files
}

// evidence chooses what of a codebase decides a finding.
type evidence struct {
	*sheet
	o *Opinions
	g *graph.Graph
	f finding.Finding

	own     *graph.Symbol   // the innermost definition around the finding, nil for none
	symbols []*graph.Symbol // that were shown beside it, in their order
}

// collect takes code in the order of its importance: what comes last is what is left out.
func (e *evidence) collect(ctx context.Context) {
	f := e.f
	e.own = e.g.At(f.File, f.Line)
	e.place()
	for _, s := range e.named() {
		e.show(ctx, s)
	}
	for _, u := range e.g.Uses(f.File, f.Line, f.EndLine) {
		e.used(ctx, u)
	}
	e.places(ctx)
	if e.own != nil {
		e.class(ctx, e.own)
		for _, u := range e.g.Uses(f.File, e.own.Line, e.own.EndLine) {
			e.used(ctx, u)
		}
		e.callers(ctx)
	}
	if left := most - enough; e.room > left { // a model with a small window has no room for what is only near
		e.room -= left
		e.near(ctx)
	}
}

// near takes what decides about the definitions that are shown: their classes, and what they use, the shortest first, for so
// the room holds the most of it.
func (e *evidence) near(ctx context.Context) {
	first := slices.Clone(e.symbols)
	for _, s := range first {
		e.class(ctx, s)
	}
	var uses []graph.Edge
	for _, s := range e.symbols {
		if called(s) {
			uses = append(uses, e.g.Uses(s.File, s.Line, s.EndLine)...)
		}
	}
	slices.SortStableFunc(uses, func(a, b graph.Edge) int {
		return cmp.Compare(e.cost(a.To.File, a.To.Line, a.To.EndLine), e.cost(b.To.File, b.To.Line, b.To.EndLine))
	})
	for _, u := range uses {
		if u.Confidence == graph.Exact {
			e.used(ctx, u)
		}
	}
}

// place takes the finding's own lines: the file where it is small, else the definition around them, else lines on both sides.
func (e *evidence) place() {
	f, half := e.f, e.room/2
	text, _ := e.code.Text(f.File)
	if len(text) <= min(smallFile, half) {
		e.add(f.File, 1, len(e.lines(f.File)))
		return
	}
	for _, im := range e.g.Imports(f.File) {
		if e.cost(f.File, im.Line, im.Line) <= e.room/20 {
			e.add(f.File, im.Line, im.Line)
		}
	}
	if e.own != nil {
		from, to := e.first(e.own), max(e.own.EndLine, f.EndLine)
		if e.cost(f.File, from, to) <= min(half, 2*mostEach) && e.add(f.File, from, to) {
			return
		}
		e.add(f.File, from, e.own.Line)
	}
	e.around(f.File, f.Line, f.EndLine, min(half, mostEach))
}

// first is the line on which a definition begins, its decorators included.
func (e *evidence) first(s *graph.Symbol) int {
	lines, n := e.lines(s.File), s.Line
	for n > 1 && n-2 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n-2]), "@") {
		n--
	}
	return n
}

// used takes a definition that a line uses. What a test defines stands for no other code.
func (e *evidence) used(ctx context.Context, u graph.Edge) {
	if u.Confidence != graph.Possible && e.allowed(u.To) {
		e.show(ctx, u.To)
	}
}

// allowed says whether a symbol may stand for code: one of a test only for a test's own finding.
func (e *evidence) allowed(s *graph.Symbol) bool { return !e.g.IsTest(s.File) || e.g.IsTest(e.f.File) }

// show takes a definition: a function's body, and of a class its head, its own values and how it is made.
func (e *evidence) show(ctx context.Context, s *graph.Symbol) {
	if s == e.own || slices.Contains(e.symbols, s) {
		return
	}
	e.symbols = append(e.symbols, s)
	if holder(s) && e.cost(s.File, s.Line, s.EndLine) > mostClass {
		e.head(ctx, s)
		if m := e.member(s, constructors...); m != nil {
			e.show(ctx, m)
		}
		return
	}
	e.body(ctx, s.File, e.first(s), s.EndLine, mostEach)
}

// head takes what stands in a class before its first method.
func (e *evidence) head(ctx context.Context, s *graph.Symbol) {
	end := s.EndLine
	for _, m := range e.g.Symbols(s.File) {
		if called(m) && m.Line > s.Line && m.EndLine <= s.EndLine {
			end = min(end, e.first(m)-1)
		}
	}
	e.body(ctx, s.File, e.first(s), max(end, s.Line), mostClass)
}

// own state, in the languages that have a word for it.
var state = regexp.MustCompile(`\b(?:self|this|cls)\s*(?:\.|->)|@\w|\$this`)

// class takes the head of the class that a method belongs to and, for a method that uses the instance's state, what sets it;
// and the method of that name which it overrides.
func (e *evidence) class(ctx context.Context, s *graph.Symbol) {
	c := e.holder(s)
	if c == nil || s.Kind != graph.KindMethod {
		return
	}
	e.head(ctx, c)
	text, _ := finding.Quote(strings.Join(e.lines(s.File), "\n"), s.Line, s.EndLine)
	if m := e.member(c, constructors...); m != nil && m != s && state.MatchString(text) {
		e.show(ctx, m)
	}
	for _, base := range e.bases(c) {
		if m := e.member(base, s.Name); m != nil && m != s {
			e.show(ctx, m)
			return
		}
	}
}

// callers takes a few lines around the places that call the finding's function, or the method that it overrides, and of a
// method that nothing is sure to call, those that use its class.
func (e *evidence) callers(ctx context.Context) {
	edges := e.g.Callers(e.own)
	if c := e.holder(e.own); c != nil {
		for _, base := range e.bases(c) {
			if m := e.member(base, e.own.Name); m != nil {
				edges = append(edges, e.g.Callers(m)...)
			}
		}
		if !slices.ContainsFunc(edges, func(u graph.Edge) bool { return u.Confidence == graph.Exact && u.From != e.own }) {
			edges = append(edges, e.g.References(c)...)
		}
	}
	edges = slices.DeleteFunc(slices.Clone(edges), func(u graph.Edge) bool {
		return u.From == e.own || u.From != nil && !e.allowed(u.From) || u.From == nil && e.g.IsTest(u.File) != e.g.IsTest(e.f.File)
	})
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(a.Confidence, b.Confidence) })
	for _, u := range edges[:min(len(edges), mostCalls)] {
		from, to := u.Line-aroundCall, u.Line+aroundCall
		if u.From != nil && !holder(u.From) {
			e.add(u.File, e.first(u.From), u.From.Line)
			from, to = max(from, u.From.Line), min(to, u.From.EndLine)
		}
		e.body(ctx, u.File, from, to, mostEach)
	}
}

// constructors are what the languages call the method that makes an instance. Java's has the name of its class.
var constructors = []string{"__init__", "constructor", "__construct", "initialize"}

func called(s *graph.Symbol) bool {
	return s.Kind == graph.KindFunction || s.Kind == graph.KindMethod
}

func holder(s *graph.Symbol) bool {
	return s.Kind == graph.KindClass || s.Kind == graph.KindInterface || s.Kind == graph.KindType
}

// holder is the class that a symbol belongs to, nil for none.
func (e *evidence) holder(s *graph.Symbol) *graph.Symbol {
	if s == nil || s.Parent == "" {
		return nil
	}
	for _, c := range e.g.Symbols(s.File) {
		if c.Qualified == s.Parent && holder(c) {
			return c
		}
	}
	for _, c := range e.g.Definition(s.Parent) { // Go's methods may stand in another file of the package
		if holder(c) && dir(c.File) == dir(s.File) {
			return c
		}
	}
	return nil
}

func dir(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// member is a class's own method of one of these names; of several, the one with the most lines: others only declare it.
func (e *evidence) member(c *graph.Symbol, names ...string) *graph.Symbol {
	var found *graph.Symbol
	for _, m := range e.g.Symbols(c.File) {
		if m.Parent == c.Qualified && called(m) && (slices.Contains(names, m.Name) || len(names) > 1 && m.Name == c.Name) &&
			(found == nil || m.EndLine-m.Line > found.EndLine-found.Line) {
			found = m
		}
	}
	return found
}

// bases are the classes of the codebase that a class builds on, the nearest first.
func (e *evidence) bases(c *graph.Symbol) []*graph.Symbol {
	all := []*graph.Symbol{c}
	for i := 0; i < len(all) && i < 20; i++ {
		for _, u := range e.g.Uses(all[i].File, all[i].Line, all[i].EndLine) {
			if u.Role == graph.Extends && u.From == all[i] && !slices.Contains(all, u.To) {
				all = append(all, u.To)
			}
		}
	}
	return all[1:]
}

package opinion

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
)

// shortHead is how much of a class's head is shown without asking what it has to do with the finding.
const shortHead = 400

// head takes what stands in a class before its first method: where that is long, its first lines and the values whose names
// the finding or its function uses.
func (e *evidence) head(ctx context.Context, s *graph.Symbol) {
	end := s.EndLine
	for _, m := range e.g.Symbols(s.File) {
		if called(m) && m.Line > s.Line && m.EndLine <= s.EndLine {
			end = min(end, e.first(m)-1)
		}
	}
	from, end := e.first(s), max(end, s.Line)
	if e.cost(s.File, from, end) <= shortHead {
		e.body(ctx, s.File, from, end, shortHead)
		return
	}
	lines, silent := e.lines(s.File), e.base.Silent(ctx, s.File)
	opening := min(s.Line+1, end) // and the first line of what is said of it
	e.body(ctx, s.File, from, opening, mostClass)
	for n := opening + 1; n <= end; n++ {
		if !silent[n-1] && e.declares(lines[n-1]) {
			e.add(s.File, n, n)
		}
	}
}

// declares reports a line that gives a class a value whose name is used: it stands first before its type or value, or last.
func (e *evidence) declares(line string) bool {
	if i := strings.IndexAny(line, "=:;({"); i >= 0 {
		line = line[:i]
	}
	names := identifier.FindAllString(line, -1)
	return len(names) > 0 && (e.used[names[0]] || e.used[names[len(names)-1]])
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
		e.show(ctx, m, mostEach)
	}
	for _, base := range e.g.Bases(c) {
		if m := e.member(base, s.Name); m != nil && m != s {
			e.show(ctx, m, mostEach)
			return
		}
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

// member is a class's own method of one of these names; of several, the one with the most lines. A signature of an overload
// is none.
func (e *evidence) member(c *graph.Symbol, names ...string) *graph.Symbol {
	var found *graph.Symbol
	for _, m := range e.g.Symbols(c.File) {
		if m.Parent != c.Qualified || !called(m) || !slices.Contains(names, m.Name) && !(len(names) > 1 && m.Name == c.Name) {
			continue
		}
		if b := e.g.Bodies(m); len(b) == 1 && b[0].File == m.File && b[0].Parent == m.Parent {
			m = b[0]
		}
		if found == nil || m.EndLine-m.Line > found.EndLine-found.Line {
			found = m
		}
	}
	return found
}

package opinion

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// How much code a verifier is shown, in bytes. A model's own limit may be lower.
const (
	most        = 20_000 // in all
	mostMissing = 8_000  // beyond that, for what a verifier said that it lacks
	enough      = 10_000 // beyond which what is only near is left out
	smallFile   = 3_000  // that is shown whole
	mostNamed   = 6_000  // of a definition that the finding names, or that its lines use
	mostEach    = 3_000  // of another definition
	mostClass   = 1_200  // of a class beside its methods
	mostBodies  = 3      // definitions that one declaration stands for
	mostPlaces  = 12     // of one finding
	mostCalls   = 4      // places that call the finding's function
	mostAlone   = 160    // of the line that says that nothing calls it
	aroundCall  = 3      // lines on each side
)

// prompt puts a finding and the code that decides it into at most limit characters. The code comes first, so that prompts on
// the same code begin alike. missing is the code that a verifier said it lacks.
func (o *Opinions) prompt(ctx context.Context, f finding.Finding, limit int, missing []stretch) (prompt string, e *evidence) {
	var b strings.Builder
	row := func(name, text string, most int) {
		if text = strings.TrimSpace(text); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, termtext.CutWith(text, most, " ..."))
		}
	}
	row("file", fmt.Sprintf("%s, lines %d to %d", header(f.File), f.Line, f.EndLine), 4096)
	row("also at", others(f), limit/8)
	row("kind", strings.TrimSpace(f.Severity+" "+f.Category+" "+f.CWE), 200)
	row("title", f.Title, 300)
	row("explanation", f.Explanation, limit/8)
	row("code that it quotes", "\n"+f.Evidence, limit/8)
	row("what a verifier lacked, shown above now", names(missing), limit/8)
	const end, before, after = "=== END ===\n", "\nThe finding:\n\n", "\nTry to refute it. Reply with the JSON object alone.\n"

	room := limit - b.Len() - len(end) - len(before) - len(after)
	if missing == nil {
		room = min(room, most)
	} else {
		room = min(room, most+mostMissing)
	}
	e = &evidence{sheet: newSheet(o.code, o.base, room-room/leftShare), o: o, g: o.base.Graph(ctx), f: f, full: room}
	e.collect(ctx, missing)
	return e.text() + end + e.leftOut(ctx, room/leftShare-len(e.alone)) + e.alone + before + b.String() + after, e
}

// others names the finding's places but its own.
func others(f finding.Finding) string {
	var list []string
	for _, p := range f.Places {
		if p.File != f.File || p.Line != f.Line {
			list = append(list, fmt.Sprintf("%s:%d", header(p.File), p.Line))
		}
	}
	if n := len(list) - mostPlaces; n > 0 {
		list = append(list[:mostPlaces], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(list, ", ")
}

// evidence chooses what of a codebase decides a finding.
type evidence struct {
	*sheet
	o *Opinions
	g *graph.Graph
	f finding.Finding

	full    int             // the room that there was
	alone   string          // says that nothing calls own, "" where something does
	own     *graph.Symbol   // the innermost definition around the finding, nil for none
	used    map[string]bool // the names that stand in it, or around the finding where there is none
	symbols []*graph.Symbol // that were shown beside it, in their order
}

// collect takes code in the order of its importance: what comes last is what is left out.
func (e *evidence) collect(ctx context.Context, missing []stretch) {
	f := e.f
	e.own = e.g.At(f.File, f.Line)
	e.place()
	e.places()
	for _, m := range missing {
		e.leave(m.name, m.file, e.body(ctx, m.file, m.from, m.to, mostMissing), m.to)
	}
	for _, s := range e.named() {
		e.show(ctx, s, mostNamed)
	}
	for _, u := range e.g.Uses(f.File, f.Line, f.EndLine) {
		e.use(ctx, u, mostNamed)
	}
	e.cited(ctx)
	if e.own != nil {
		e.bodies(ctx, e.own, mostNamed)
		e.callers(ctx)
		e.class(ctx, e.own)
		uses := e.g.Uses(f.File, e.own.Line, e.own.EndLine)
		slices.SortStableFunc(uses, func(a, b graph.Edge) int { return cmp.Compare(order(a.To), order(b.To)) })
		for _, u := range uses {
			e.use(ctx, u, mostEach)
		}
	}
	e.near(ctx)
	e.imports()
}

// order puts constants and classes before functions.
func order(s *graph.Symbol) int {
	if called(s) {
		return 1
	}
	return 0
}

// near takes, up to what is enough, what decides about the definitions that are shown: their classes, and what they use, the
// shortest first, for so the room holds the most of it. A model with a small window has no room for it.
func (e *evidence) near(ctx context.Context) {
	left := max(e.full, most) - enough
	if e.room <= left {
		return
	}
	e.room, e.quiet = e.room-left, true
	defer func() { e.room, e.quiet = e.room+left, false }()
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
			e.use(ctx, u, mostEach)
		}
	}
}

// place takes the finding's own lines: the file where it is small, else the definition around them, else lines on both sides.
func (e *evidence) place() {
	f := e.f
	total := len(e.lines(f.File))
	from, to := max(1, f.Line-nearLines), min(total, f.EndLine+nearLines)
	if e.own != nil {
		from, to = e.first(e.own), max(e.own.EndLine, f.EndLine)
	}
	e.used = e.identifiers(f.File, from, to)
	whole := e.room * 2 / 3
	if e.own != nil && holder(e.own) { // most of a class has nothing to do with one of its lines
		whole = min(whole, mostNamed)
	}
	switch {
	case e.cost(f.File, 1, total) <= min(smallFile, e.room/2) && e.add(f.File, 1, total):
	case e.own != nil && e.cost(f.File, from, to) <= whole && e.add(f.File, from, to):
	case e.own != nil:
		e.add(f.File, from, e.own.Line)
		first, last := e.around(f.File, max(f.Line, from), min(f.EndLine, to), whole)
		e.leave(e.own.Qualified, f.File, max(from, e.own.Line+1), first-1)
		e.leave(e.own.Qualified, f.File, last+1, to)
	default:
		e.around(f.File, f.Line, f.EndLine, min(e.room/2, mostEach))
	}
}

// places takes a few lines around the finding's other places.
func (e *evidence) places() {
	for i, p := range e.f.Places {
		if i > mostPlaces {
			return
		}
		if p.File == e.f.File && p.Line == e.f.Line {
			continue
		}
		from, to := p.Line-aroundCall, max(p.EndLine, p.Line)+aroundCall
		if s := e.g.At(p.File, p.Line); s != nil && called(s) {
			e.add(p.File, e.first(s), s.Line)
			from, to = max(from, s.Line), min(to, s.EndLine)
		}
		if !e.add(p.File, from, to) {
			e.leave("the place", p.File, p.Line, p.EndLine)
		}
	}
}

// first is the line on which a definition begins, its decorators included.
func (e *evidence) first(s *graph.Symbol) int {
	lines, n := e.lines(s.File), s.Line
	for n > 1 && n-2 < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n-2]), "@") {
		n--
	}
	return n
}

// use takes a definition that a line uses. What a test defines stands for no other code.
func (e *evidence) use(ctx context.Context, u graph.Edge, most int) {
	if u.Confidence != graph.Possible && e.allowed(u.To) {
		e.show(ctx, u.To, most)
	}
}

// allowed says whether a symbol may stand for code: one of a test only for a test's own finding.
func (e *evidence) allowed(s *graph.Symbol) bool { return !e.g.IsTest(s.File) || e.g.IsTest(e.f.File) }

// show takes a definition: a function's body, of a declaration those that it stands for, and of a class its head, its own
// values and how it is made.
func (e *evidence) show(ctx context.Context, s *graph.Symbol, most int) {
	if s == e.own || slices.Contains(e.symbols, s) {
		return
	}
	e.symbols = append(e.symbols, s)
	if holder(s) && e.cost(s.File, s.Line, s.EndLine) > mostClass {
		e.head(ctx, s)
		if m := e.member(s, constructors...); m != nil {
			e.show(ctx, m, most)
		}
		return
	}
	e.leave(s.Qualified, s.File, e.body(ctx, s.File, e.first(s), s.EndLine, most), s.EndLine)
	e.bodies(ctx, s, most)
}

// bodies takes what a declaration stands for.
func (e *evidence) bodies(ctx context.Context, s *graph.Symbol, most int) {
	shown := 0
	for _, b := range e.g.Bodies(s) {
		if b != s && e.allowed(b) && shown < mostBodies {
			e.show(ctx, b, most)
			shown++
		}
	}
}

// callers takes a few lines around the places that call the finding's function, or a method that it overrides, and of a
// method that nothing is sure to call, those that use its class.
func (e *evidence) callers(ctx context.Context) {
	edges := e.g.Callers(e.own)
	for _, d := range e.g.Declarations(e.own) {
		edges = append(edges, e.g.Callers(d)...)
	}
	c := e.holder(e.own)
	if c != nil {
		for _, base := range e.g.Bases(c) {
			if m := e.member(base, e.own.Name); m != nil {
				edges = append(edges, e.g.Callers(m)...)
			}
		}
		if !slices.ContainsFunc(edges, func(u graph.Edge) bool { return u.Confidence == graph.Exact && u.From != e.own }) {
			edges = append(edges, e.g.References(c)...)
		}
	}
	edges = slices.DeleteFunc(slices.Clone(edges), func(u graph.Edge) bool {
		if u.From == nil {
			return e.g.IsTest(u.File) != e.g.IsTest(e.f.File)
		}
		return u.From == e.own || !e.allowed(u.From) || !slices.Contains(e.g.Bodies(u.From), u.From)
	})
	if called(e.own) && !slices.ContainsFunc(edges, func(u graph.Edge) bool { return u.To != c }) {
		e.alone = fmt.Sprintf("Outside of tests, nothing in this codebase is known to call %s.\n",
			termtext.CutWith(termtext.Inline(e.own.Qualified), mostAlone-80, " ..."))
	}
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { // calls before what only names it
		return cmp.Or(cmp.Compare(a.Confidence, b.Confidence), cmp.Compare(b.Role, a.Role))
	})
	for i, u := range edges {
		name, from, to := "a caller", max(1, u.Line-aroundCall), u.Line+aroundCall
		if u.From != nil {
			name = u.From.Qualified
		}
		if i >= mostCalls {
			e.leave(name, u.File, u.Line, u.Line)
			continue
		}
		if u.From != nil && !holder(u.From) {
			e.add(u.File, e.first(u.From), u.From.Line)
			from, to = max(from, u.From.Line), min(to, u.From.EndLine)
		}
		e.leave(name, u.File, e.body(ctx, u.File, from, to, mostEach), to)
	}
}

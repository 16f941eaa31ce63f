package opinion

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/graph"
)

// What a finding's text may name.
const (
	maxNamed  = 8  // definitions
	maxTokens = 60 // words that are looked up
	nearLines = 12 // around a finding in a document
)

var (
	// place is a file, with its lines or without.
	place = regexp.MustCompile(`([\w@.][\w@./+-]*\.[A-Za-z]\w{0,9})(?::(\d{1,7})(?:-(\d{1,7}))?)?`)
	// quoted is code in prose that is more than a name.
	quoted = regexp.MustCompile("`([^`\n]{3,60} [^`\n]{2,60})`")
	// token is a name as it stands in prose, dotted or not, with what shows that it is one.
	token = regexp.MustCompile("(`?)([A-Za-z_$][\\w$]*(?:(?:\\.|::|->|#)[A-Za-z_$][\\w$]*)*)(\\(|`)?")
)

// named are the definitions that the finding's title and explanation name, in that order; for a finding in a document also
// those that the lines around it name. Names are what they are at the finding's place: what its file brings in from outside
// of the codebase is no definition in it.
func (e *evidence) named() []*graph.Symbol {
	var found []*graph.Symbol
	add := func(all ...*graph.Symbol) bool {
		for _, s := range all {
			if s != nil && len(found) < maxNamed && e.allowed(s) && !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
		return len(all) > 0
	}
	words := tokens(e.f.Title + "\n" + e.f.Explanation)
	if len(e.g.Symbols(e.f.File)) == 0 {
		lines := e.lines(e.f.File)
		from, to := max(0, e.f.Line-1-nearLines), min(len(lines), e.f.EndLine+nearLines)
		if from < to {
			words = append(words, tokens(strings.Join(lines[from:to], "\n"))...)
		}
	}
	words = words[:min(len(words), maxTokens)]
	// Classes first: what else is named may be a member of one.
	var classes []*graph.Symbol
	if c := e.holder(e.own); c != nil {
		classes = append(append(classes, c), e.g.Bases(c)...)
	}
	for _, w := range words {
		head, _, _ := strings.Cut(w, ".")
		if s := e.resolve(head); s != nil && holder(s) && e.allowed(s) && !slices.Contains(classes, s) {
			classes = append(append(classes, s), e.g.Bases(s)...)
		}
	}
	for _, w := range words {
		name := w[strings.LastIndexByte(w, '.')+1:]
		if head, _, dotted := strings.Cut(w, "."); dotted {
			if c := e.resolve(head); c != nil && holder(c) {
				add(e.memberOf(c, name))
				continue
			}
		}
		if s := e.resolve(w); s != nil && !holder(s) {
			add(s)
			continue
		}
		for _, c := range classes {
			if m := e.member(c, name); m != nil && m != e.own {
				add(m)
			}
		}
	}
	add(classes[:min(len(classes), maxNamed)]...)
	return found
}

// memberOf is a class's method of a name, or the one that it has from what it builds on.
func (e *evidence) memberOf(c *graph.Symbol, name string) *graph.Symbol {
	for _, c := range append([]*graph.Symbol{c}, e.g.Bases(c)...) {
		if m := e.member(c, name); m != nil {
			return m
		}
	}
	return nil
}

// resolve finds the one definition that a name can stand for at the finding's place: what its file uses by that name, or
// else the only one of the codebase's that is no test's, unless the file brings the name in from outside. nil for none.
func (e *evidence) resolve(name string) *graph.Symbol {
	head, _, _ := strings.Cut(name, ".")
	short := name[strings.LastIndexByte(name, '.')+1:]
	if s, used := e.inUse(func(s *graph.Symbol) bool { return s.Name == short && (short == name || s.Qualified == name) }); used {
		return s
	}
	if e.foreign(head) {
		return nil
	}
	var found *graph.Symbol
	for _, s := range e.g.Definition(name) {
		if s.Kind == graph.KindMethod && short == name || !e.allowed(s) {
			continue // whose method is meant is not said
		}
		if b := e.g.Bodies(s); len(b) == 1 {
			s = b[0]
		}
		if found != nil && found != s {
			return nil
		}
		found = s
	}
	if found == nil && short != name { // of a variable, which only the code knows
		found, _ = e.inUse(func(s *graph.Symbol) bool { return s.Name == short && called(s) })
	}
	return found
}

// inUse is the one such definition that the finding's file uses: nil where there are several, and used says whether there is any.
func (e *evidence) inUse(such func(*graph.Symbol) bool) (found *graph.Symbol, used bool) {
	for _, u := range e.g.Uses(e.f.File, 1, len(e.lines(e.f.File))) {
		if u.Confidence == graph.Exact && such(u.To) && found != u.To {
			if used {
				return nil, true
			}
			found, used = u.To, true
		}
	}
	return found, used
}

// foreign reports a name that the finding's file brings in from outside of the codebase.
func (e *evidence) foreign(name string) bool {
	lines := e.lines(e.f.File)
	for _, im := range e.g.Imports(e.f.File) {
		if len(im.Files) == 0 && im.Line <= len(lines) && slices.Contains(word.FindAllString(lines[im.Line-1], -1), name) {
			return true
		}
	}
	return false
}

// tokens are the words of a text that look like names of code, each once, in their order, with dots between their parts.
func tokens(text string) []string {
	var all []string
	for _, m := range token.FindAllStringSubmatch(text, 400) {
		name := strings.NewReplacer("::", ".", "->", ".", "#", ".").Replace(m[2])
		name = strings.TrimPrefix(strings.TrimPrefix(name, "self."), "this.")
		looks := m[1] != "" || m[3] != "" || strings.ContainsAny(name, "._$") || strings.ToLower(name) != name
		if looks && len(name) > 2 && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// cited takes the places in files that the finding's text names: the definition at a line, the lines of a file that say
// what the finding speaks of, and code that it quotes and that stands in one place only.
func (e *evidence) cited(ctx context.Context) {
	text := e.f.Title + "\n" + e.f.Explanation
	done := map[string]bool{e.f.File: true}
	for _, m := range place.FindAllStringSubmatch(text, 20) {
		path, _ := e.base.Resolve(m[1])
		if path == "" || done[m[0]] || m[2] == "" && done[path] {
			continue
		}
		done[m[0]], done[path] = true, true
		if m[2] == "" {
			e.speaking(path, text)
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		to = max(from, to)
		if s := e.g.At(path, from); s != nil && called(s) && to <= s.EndLine {
			e.show(ctx, s, mostNamed)
		}
		e.add(path, from-aroundCall, to+aroundCall)
	}
	for _, m := range quoted.FindAllStringSubmatch(text, 10) {
		if path, line := e.only(m[1]); path != "" {
			e.add(path, line-aroundCall, line+aroundCall)
		}
	}
}

// only is the one place where code that a text quotes stands, outside of tests unless the finding is in one.
func (e *evidence) only(code string) (path string, line int) {
	for _, p := range e.code.Paths() {
		text, _ := e.code.Text(p)
		i := strings.Index(text, code)
		if i < 0 || e.g.IsTest(p) && !e.g.IsTest(e.f.File) {
			continue
		}
		if path != "" || strings.Contains(text[i+len(code):], code) {
			return "", 0
		}
		path, line = p, 1+strings.Count(text[:i], "\n")
	}
	return path, line
}

// speaking takes a small file whole, and of another the two places with the most words of the finding's text.
func (e *evidence) speaking(path, text string) {
	lines := e.lines(path)
	if e.cost(path, 1, len(lines)) <= smallFile/2 {
		e.add(path, 1, len(lines))
		return
	}
	words := tokens(text)
	type hit struct{ line, count int }
	var hits []hit
	for i := range lines {
		h := hit{line: i + 1}
		window := strings.Join(lines[i:min(i+3, len(lines))], " ")
		for _, w := range words {
			if strings.Contains(window, w) {
				h.count++
			}
		}
		if h.count > 0 {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.count - a.count })
	for _, h := range hits[:min(len(hits), 2)] {
		e.add(path, h.line-aroundCall, h.line+aroundCall+2)
	}
}

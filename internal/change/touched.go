package change

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// What is looked at besides the changed files. The limits keep a review in proportion to its change.
const (
	mostCandidates = 150     // unchanged files that the graph is built of
	commonWord     = 50      // a word that more files have says nothing of any of them
	touchedFiles   = 20      // files, or four times the changed ones
	touchedChars   = 120_000 // of them, or twice those of the changed files
	changedLines   = 20_000  // of which the definitions are looked for
)

// Surroundings are what of the unchanged code has to do with a change.
type Surroundings struct {
	Touched []runfile.Touched // files, what has most to do with the change first
	spans   map[string][]span // stretches of the head's files that the change touches: what it changed, and who uses that
}

type span struct{ from, to int }

// Around looks for the code around a change in the head's code graph: the callers of what changed, and the definitions that
// the changed lines use. The graph is built of the changed files and of those that share a word with the change that few files
// have. Without build there is no graph, and nothing is around.
func (c Change) Around(ctx context.Context, build func(context.Context, *codebase.Codebase) (*graph.Graph, error)) (Surroundings, error) {
	s := Surroundings{spans: map[string][]span{}}
	if build == nil || len(c.Files) == 0 {
		return s, nil
	}
	isNow, was := map[string]bool{}, map[string]bool{}
	for _, f := range c.Files {
		if f.Kind != runfile.Deleted {
			isNow[f.Path] = true
		}
		if f.Was != "" {
			was[f.Was] = true
		}
	}
	now, err := build(ctx, c.Head.Part(func(p string) bool { return isNow[p] }))
	if err != nil {
		return s, err
	}
	before, err := build(ctx, c.Base.Part(func(p string) bool { return was[p] }))
	if err != nil {
		return s, err
	}
	names := map[string]bool{}
	for _, sym := range slices.Concat(c.symbols(now, true), c.symbols(before, false)) {
		names[sym.Name] = true
	}
	near := c.candidates(isNow, names)
	whole, err := build(ctx, c.Head.Part(func(p string) bool { return isNow[p] || near[p] }))
	if err != nil {
		return s, err
	}
	score, why := map[string]float64{}, map[string]string{}
	touch := func(path string, points float64, reason string) {
		if isNow[path] {
			return
		}
		if score[path] == 0 {
			why[path] = reason
		}
		score[path] += points
	}
	seen := map[string]bool{} // definitions of the head that changed, by file and name
	for _, sym := range c.symbols(whole, true) {
		seen[sym.File+"\x00"+sym.Qualified] = true
		s.spans[sym.File] = append(s.spans[sym.File], span{sym.Line, sym.EndLine})
		s.users(whole.References(sym), sym, touch)
		for _, use := range whole.Callees(sym) {
			touch(use.To.File, points(use)/2, "defines "+use.To.Name+", which "+sym.Qualified+" uses")
		}
	}
	for _, f := range c.Files {
		for _, h := range f.Hunks {
			if f.Kind == runfile.Deleted || h.Lines == 0 {
				continue
			}
			for _, use := range whole.Uses(f.Path, h.Line, h.Line+h.Lines-1) {
				touch(use.To.File, points(use), "defines "+use.To.Name+", which the change uses")
			}
		}
	}
	lost := slices.DeleteFunc(c.symbols(before, false), func(sym *graph.Symbol) bool {
		f, _ := c.Before(sym.File)
		return seen[f.Path+"\x00"+sym.Qualified] && f.Kind != runfile.Deleted
	})
	if len(lost) > 0 { // who still uses them can only be told in the base
		old, err := build(ctx, c.Base.Part(func(p string) bool { return was[p] || near[p] }))
		if err != nil {
			return s, err
		}
		for _, sym := range lost {
			for _, at := range old.Definition(sym.File + ":" + sym.Qualified) {
				s.users(old.References(at), at, touch)
			}
		}
	}
	s.Touched = c.ranked(score, why)
	return s, nil
}

// users are the places that use a definition: the functions around them are touched by the change, too.
func (s *Surroundings) users(uses []graph.Edge, of *graph.Symbol, touch func(path string, points float64, why string)) {
	for _, use := range uses {
		if use.Confidence == graph.Possible {
			continue
		}
		at := span{use.Line, use.Line}
		if use.From != nil {
			at = span{use.From.Line, use.From.EndLine}
		}
		if !slices.Contains(s.spans[use.File], at) {
			s.spans[use.File] = append(s.spans[use.File], at)
		}
		touch(use.File, 2*points(use), "uses "+of.Qualified)
	}
}

// points is what an edge counts for.
func points(e graph.Edge) float64 {
	return map[graph.Confidence]float64{graph.Exact: 1, graph.Likely: 0.5, graph.Possible: 0.1}[e.Confidence]
}

// symbols are the definitions that hold changed lines, the innermost of each line.
func (c Change) symbols(g *graph.Graph, head bool) []*graph.Symbol {
	var all []*graph.Symbol
	seen := map[*graph.Symbol]bool{}
	left := changedLines
	for _, f := range c.Files {
		path, line, lines := f.Path, func(h Hunk) int { return h.Line }, func(h Hunk) int { return h.Lines }
		if !head {
			path, line, lines = f.Was, func(h Hunk) int { return h.WasLine }, func(h Hunk) int { return h.WasLines }
		}
		for _, h := range f.Hunks {
			for n := line(h); n < line(h)+max(1, lines(h)) && left > 0; n++ {
				left--
				sym := g.At(path, n)
				if sym != nil && lines(h) == 0 && sym.Line >= n {
					sym = nil // what was put or taken away before a definition did not change it
				}
				if sym != nil && !seen[sym] {
					seen[sym] = true
					all = append(all, sym)
				}
			}
		}
	}
	return all
}

// candidates are the unchanged files of the head in which the change can be used, or what it uses be defined: they have the
// name of a definition that changed, or a word of a changed line.
func (c Change) candidates(changed, names map[string]bool) map[string]bool {
	interesting := maps.Clone(names)
	for _, f := range c.Files {
		if f.Kind == runfile.Deleted || language.Parsed(f.Path) == "" {
			continue
		}
		text, _ := c.Head.Text(f.Path)
		n := 0
		for line := range strings.Lines(text) {
			if n++; f.Changed(n, n) {
				words(line, func(w string) { interesting[w] = true })
			}
		}
	}
	has := map[string][]string{} // word -> files
	for _, p := range c.Head.Paths() {
		if changed[p] || language.Parsed(p) == "" {
			continue
		}
		text, _ := c.Head.Text(p)
		once := map[string]bool{}
		words(text, func(w string) {
			if interesting[w] && !once[w] {
				once[w] = true
				has[strings.Clone(w)] = append(has[w], p)
			}
		})
	}
	score := map[string]float64{}
	for w, files := range has {
		if len(files) > commonWord && !names[w] {
			continue
		}
		for _, p := range files {
			score[p] += 1 / float64(len(files))
		}
	}
	best := slices.SortedFunc(maps.Keys(score), func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), strings.Compare(a, b))
	})
	near := map[string]bool{}
	for _, p := range best[:min(len(best), mostCandidates)] {
		near[p] = true
	}
	return near
}

// words gives the names in a text that are at least three bytes long.
func words(text string, each func(string)) {
	start := -1
	for i := 0; i <= len(text); i++ {
		in := false
		if i < len(text) {
			b := text[i]
			in = b == '_' || b >= 0x80 || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
		}
		switch {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			if i-start >= 3 && text[start] > '9' {
				each(text[start:i])
			}
			start = -1
		}
	}
}

// ranked takes the files with most points, within the limits.
func (c Change) ranked(score map[string]float64, why map[string]string) []runfile.Touched {
	changed := 0
	for _, f := range c.Files {
		text, _ := c.Head.Text(f.Path)
		changed += len(text)
	}
	files, chars := max(touchedFiles, 4*len(c.Files)), max(touchedChars, 2*changed)
	var all []runfile.Touched
	for _, p := range slices.SortedFunc(maps.Keys(score), func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), strings.Compare(a, b))
	}) {
		text, ok := c.Head.Text(p)
		if !ok || score[p] < 0.5 || len(text) > chars {
			continue
		}
		if len(all) == files {
			break
		}
		chars -= len(text)
		all = append(all, runfile.Touched{Path: p, Why: why[p]})
	}
	return all
}

// Holds says whether the change touches the code of some lines: it changed some of them, or the innermost function around
// them, or that function uses what it changed.
func (s Surroundings) Holds(path string, from, to int) bool {
	return slices.ContainsFunc(s.spans[path], func(at span) bool { return at.from <= to && at.to >= from })
}

// String is for test failures.
func (f File) String() string { return fmt.Sprintf("%s %s (%s) %v", f.Kind, f.Path, f.Was, f.Hunks) }

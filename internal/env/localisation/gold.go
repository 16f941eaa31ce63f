package localisation

import (
	"context"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Range is a run of lines of a file.
type Range struct {
	File    string
	Line    int // 1-based
	EndLine int // inclusive
}

// inFile names a definition of a file as answers and golds do, "shop/cart.py::Cart.add"; the file itself where qualified is "".
func inFile(path, qualified string) string {
	if qualified == "" {
		return path
	}
	return path + "::" + qualified
}

// Gold is what an answer should rank. Functions and Ranges are empty where nothing says which they are: without a patch, with one of
// another text, and functions without a parser.
func (r Record) Gold(ctx context.Context, code *codebase.Codebase, parser func() (*syntax.Parser, error)) (Answer, error) {
	a := Answer{Files: r.GoldFiles}
	old, after, edits := map[string]string{}, map[string]string{}, map[string][]edit{}
	for _, c := range r.changes {
		if !slices.Contains(r.GoldFiles, c.Old) {
			continue
		}
		text, _ := code.Text(c.Old)
		lines := splitLines(text)
		placed, fits := c.place(lines)
		if !fits {
			return Answer{Files: r.GoldFiles}, nil
		}
		old[c.Old], after[c.Old], edits[c.Old] = text, strings.Join(apply(lines, placed), "\n"), placed
		for _, e := range placed {
			a.Ranges = append(a.Ranges, e.touches(c.Old))
		}
	}
	if parser == nil || len(old) == 0 {
		return a, nil
	}
	before, err := graph.Build(ctx, codebase.FromMap(old), graph.Options{Parser: parser})
	if err != nil {
		return a, err
	}
	later, err := graph.Build(ctx, codebase.FromMap(after), graph.Options{Parser: parser})
	if err != nil {
		return a, err
	}
	for _, file := range r.GoldFiles {
		if len(edits[file]) > 0 {
			a.Functions = append(a.Functions, functions(file, edits[file], before, later)...)
		}
	}
	return a, nil
}

// touches are the old lines that an edit touches: those that go, or where lines only come, the line that they follow.
func (e edit) touches(file string) Range {
	first := max(1, e.at)
	return Range{file, first, max(first, e.at+len(e.gone)-1)}
}

// functions are the definitions that edits of a file touch, by the file's syntax trees before and after it:
//
//   - a line that goes counts for the innermost function, method or class around it, before the patch;
//   - a line that comes counts for the innermost one around it, after the patch, that was there before: so a new method counts for
//     its class, a new function of a module for the file;
//   - blank lines count for nothing, and a class or a file only where nothing within it counts: an import beside a changed
//     function is no place of its own.
//
// LocAgent's edited_entities are much the same: there comments, imports, new functions and variables of a module count for nothing,
// a function within a function for the outer one, and records that leave nothing are taken out, where here the file stands in.
func functions(file string, edits []edit, before, after *graph.Graph) []string {
	kinds := map[string]graph.Kind{"": graph.KindClass} // the file holds the rest as a class does
	for _, s := range before.Symbols(file) {
		kinds[s.Qualified] = s.Kind
	}
	var names []string
	add := func(g *graph.Graph, line int, text string) {
		if strings.TrimSpace(text) == "" {
			return
		}
		name := ""
		if s := g.At(file, line); s != nil {
			name = s.Qualified
		}
		for _, there := kinds[name]; !there; _, there = kinds[name] {
			name = name[:max(0, strings.LastIndexByte(name, '.'))]
		}
		names = append(names, name)
	}
	moved := 0 // how much further down lines are after the patch
	for _, e := range edits {
		for i, text := range e.gone {
			add(before, e.at+i, text)
		}
		first := e.at + moved
		if len(e.gone) == 0 {
			first++
		}
		for i, text := range e.come {
			add(after, first+i, text)
		}
		moved += len(e.come) - len(e.gone)
	}
	names = distinct(names)
	var out []string
	for _, name := range names {
		function := kinds[name] == graph.KindFunction || kinds[name] == graph.KindMethod
		if function || !slices.ContainsFunc(names, func(n string) bool { return n != name && (name == "" || strings.HasPrefix(n, name+".")) }) {
			out = append(out, inFile(file, name))
		}
	}
	return out
}

// splitLines is a text without its line ends.
func splitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}

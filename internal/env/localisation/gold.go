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
	p := newApplying(code.Text)
	old, after, edits := map[string]string{}, map[string]string{}, map[string][]edit{}
	for _, c := range r.changes {
		if !slices.Contains(r.GoldFiles, c.Old) {
			continue
		}
		left, err := p.file(c)
		if err != nil {
			return Answer{Files: r.GoldFiles}, nil
		}
		old[c.Old], _ = code.Text(c.Old)
		after[c.Old], edits[c.Old] = left.text(), left.edits(len(imageOf(old[c.Old])))
	}
	for _, file := range r.GoldFiles {
		for _, e := range edits[file] {
			a.Ranges = append(a.Ranges, e.touches(file))
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
			f := changed{file, edits[file], version{before, splitLines(old[file])}, version{later, splitLines(after[file])}}
			a.Functions = append(a.Functions, f.functions()...)
		}
	}
	return a, nil
}

// edit is a run of changed lines without an unchanged one between.
type edit struct {
	behind int // the old line that stands before it, 0 for none
	gone   int // how many old lines go
	at     int // the first new line, from 1
	come   int // how many new lines come
}

// edits are what became of a file that had so many lines.
func (m image) edits(lines int) (out []edit) {
	e := edit{at: 1}
	end := func(number, next int) {
		if e.gone = number - e.behind - 1; e.gone+e.come > 0 {
			out = append(out, e)
		}
		e = edit{behind: number, at: next}
	}
	for i, l := range m {
		if l.number == 0 {
			e.come++
		} else {
			end(l.number, i+2)
		}
	}
	end(lines+1, 0)
	return out
}

// touches are the old lines that an edit touches: those that go, or where lines only come, the line that they follow.
func (e edit) touches(file string) Range {
	if e.gone > 0 {
		return Range{file, e.behind + 1, e.behind + e.gone}
	}
	return Range{file, max(1, e.behind), max(1, e.behind)}
}

// changed is a file with what a patch does to it.
type changed struct {
	file          string
	edits         []edit
	before, after version
}

// version is a file before or after a patch.
type version struct {
	graph *graph.Graph
	lines []string
}

// functions are the definitions that the edits touch, by the file's syntax trees before and after them:
//
//   - a line that goes counts for the innermost function, method or class around it, before the patch;
//   - a line that comes counts for the innermost one around it, after the patch, that was there before: so a new method counts for
//     its class, a new function of a module for the file;
//   - blank lines count for nothing, and a class or a file only where nothing within it counts: an import beside a changed
//     function is no place of its own.
//
// LocAgent's edited_entities are much the same: there comments, imports, new functions and variables of a module count for nothing,
// a function within a function for the outer one, and records that leave nothing are taken out, where here the file stands in.
func (f changed) functions() []string {
	kinds := map[string]graph.Kind{"": graph.KindClass} // the file holds the rest as a class does
	for _, s := range f.before.graph.Symbols(f.file) {
		kinds[s.Qualified] = s.Kind
	}
	var names []string
	add := func(of version, from, n int) {
		for line := from; line < from+n; line++ {
			if strings.TrimSpace(of.lines[line-1]) == "" {
				continue
			}
			name := ""
			if s := of.graph.At(f.file, line); s != nil {
				name = s.Qualified
			}
			for _, there := kinds[name]; !there; _, there = kinds[name] {
				name = name[:max(0, strings.LastIndexByte(name, '.'))]
			}
			names = append(names, name)
		}
	}
	for _, e := range f.edits {
		add(f.before, e.behind+1, e.gone)
		add(f.after, e.at, e.come)
	}
	names = distinct(names)
	var out []string
	for _, name := range names {
		function := kinds[name] == graph.KindFunction || kinds[name] == graph.KindMethod
		if function || !slices.ContainsFunc(names, func(n string) bool { return n != name && (name == "" || strings.HasPrefix(n, name+".")) }) {
			out = append(out, inFile(f.file, name))
		}
	}
	return out
}

// splitLines are the lines of a text.
func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

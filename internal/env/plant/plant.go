// Package plant puts defects into programs: an Operator finds the places where it applies in a syntax tree, and says
// what to write there instead. Plant chooses among those places by a seed and keeps the truth of what it did.
//
// One sub-package a language holds the operators, two files each: a Go file with what finds the sites, and a txtar file
// of that name with what the operator is called and means, with samples of where it applies, of where it must not, and
// with a proof that the behaviour or the security really changed. Load puts them together.
//
// Invariants: a program that parsed still parses; no text that is written names what was done; two plants never stand
// within Apart lines of each other; equal arguments give equal results, byte for byte.
package plant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Operator plants one kind of defect, or of decoy, in one language.
type Operator struct {
	Name     string // "python/sql-format": language, then what is done
	Language string // as the codebase package names it: python, typescript, go, java
	Split    string // env.Train or env.Heldout
	Category string // one of taxonomy.Categories
	CWE      string // "CWE-89", or "" where none fits
	Severity string // one of taxonomy.Severities
	// CrossFile says that one has to know a second file to see the defect.
	CrossFile bool
	// Decoy says that what is written looks like the Category and is right.
	Decoy bool
	// Hint is a text that a file must hold for the operator to apply: a cheap test before the file is parsed. Defaults
	// to none.
	Hint string
	// Sites finds the places in one file. It must be deterministic, and quick: it sees thousands of files.
	Sites func(p *Project, path string) []Site
	// Samples are programs that the operator applies to; Never holds programs that it must leave alone.
	Samples []Sample
	Never   []string
}

// Site is one place where an operator applies.
type Site struct {
	// Edits are what is written. The first one is the defect: its text, without blank lines around it, becomes the
	// line range of the truth, so it should replace whole lines or at least the tell-tale part of one. Others may lie in
	// other files. No two overlap.
	Edits []Edit
	// Description says in one sentence what is wrong and what follows from it, naming the identifiers. For a decoy: why
	// it is right.
	Description string
}

// Edit replaces the bytes Start to End of a file.
type Edit struct {
	File       string
	Start, End int
	Text       string
}

// And lists an edit with those that belong to it.
func (e Edit) And(more ...Edit) []Edit { return append([]Edit{e}, more...) }

// Sample is a program before and after one plant.
type Sample struct {
	// Files is the program before, by path; the operator is asked for the sites of Path.
	Files map[string]string
	Path  string
	// After is the file of the first edit, after the first site was planted.
	After string
	// Proof, in the language of the program where tests can run it, passes on Files and fails after. Defaults to none:
	// then the language's own tests prove it in another way.
	Proof string
}

// Project is a program that defects are planted into. It is safe for concurrent use and never changes.
type Project struct {
	ctx    context.Context
	parser *syntax.Parser
	files  map[string]string
	paths  []string

	mu    sync.Mutex
	index map[string]any
}

// NewProject wraps a program's texts. The parser stays the caller's; ctx bounds all parses.
func NewProject(ctx context.Context, parser *syntax.Parser, files map[string]string) *Project {
	p := &Project{ctx: ctx, parser: parser, files: files, index: map[string]any{}}
	for name := range files {
		p.paths = append(p.paths, name)
	}
	slices.Sort(p.paths)
	return p
}

// Paths lists all files, sorted.
func (p *Project) Paths() []string { return p.paths }

// Text is a file's text, "" when there is no such file.
func (p *Project) Text(name string) string { return p.files[name] }

// Language is the language that a path's ending stands for, "" for one that nothing is planted in.
func Language(name string) string { return language.Planted(name) }

// Tree is a file's syntax tree, kept after the first time; nil when the file does not parse without errors.
func (p *Project) Tree(name string) *syntax.Tree {
	return p.Once("tree/"+name, func() any { return parse(p.ctx, p.parser, name, p.files[name]) }).(*syntax.Tree)
}

// Once computes something about the whole program the first time it is asked for under that key: an index of callers,
// say. make must be deterministic.
func (p *Project) Once(key string, make func() any) any {
	p.mu.Lock()
	v, ok := p.index[key]
	p.mu.Unlock()
	if ok {
		return v
	}
	v = make() // not under the lock: it may parse
	p.mu.Lock()
	defer p.mu.Unlock()
	p.index[key] = v
	return v
}

// parse is a text's tree when it has no errors.
func parse(ctx context.Context, parser *syntax.Parser, name, text string) *syntax.Tree {
	language := Language(name)
	if language == "" {
		return nil
	}
	t, err := parser.Parse(ctx, language, []byte(text))
	if err != nil || t.HasError() || t.Truncated() {
		return nil
	}
	return t
}

// Apply writes a site's edits into files and returns the changed files. An edit outside its file is an error.
func Apply(files map[string]string, edits []Edit) (map[string]string, error) {
	byFile := map[string][]Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	changed := map[string]string{}
	for name, es := range byFile {
		slices.SortFunc(es, func(a, b Edit) int { return a.Start - b.Start })
		text, at := files[name], 0
		var b strings.Builder
		for _, e := range es {
			if e.Start < at || e.End < e.Start || e.End > len(text) {
				return nil, fmt.Errorf("edit %d-%d of %s lies outside of it or overlaps", e.Start, e.End, name)
			}
			b.WriteString(text[at:e.Start])
			b.WriteString(e.Text)
			at = e.End
		}
		b.WriteString(text[at:])
		changed[name] = b.String()
	}
	return changed, nil
}

package plant

import (
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// File is one file that an operator looks at, and the sites that it found there.
type File struct {
	Project *Project
	Path    string
	Text    string
	Root    syntax.Node
	Sites   []Site
}

// Open is a file of the program to look at, nil for one that does not parse.
func (p *Project) Open(path string) *File {
	tree := p.Tree(path)
	if tree == nil {
		return nil
	}
	return &File{Project: p, Path: path, Text: p.Text(path), Root: tree.Root()}
}

// Sources opens the files of one language that parse and are no tests, sorted.
func (p *Project) Sources(language string) iter.Seq[*File] {
	return func(yield func(*File) bool) {
		for _, path := range p.paths {
			if Language(path) != language || codebase.IsTest(path) {
				continue
			}
			if f := p.Open(path); f != nil && !yield(f) {
				return
			}
		}
	}
}

// Report adds a site of one edit, ReportAll one of several; format and args describe it.
func (f *File) Report(e Edit, format string, args ...any) { f.ReportAll([]Edit{e}, format, args...) }

func (f *File) ReportAll(edits []Edit, format string, args ...any) {
	f.Sites = append(f.Sites, Site{Edits: edits, Description: fmt.Sprintf(format, args...)})
}

// Edit replaces a stretch of the file, Replace a node.
func (f *File) Edit(start, end int, text string) Edit {
	return Edit{File: f.Path, Start: start, End: end, Text: text}
}

func (f *File) Replace(n syntax.Node, text string) Edit { return f.Edit(n.Start(), n.End(), text) }

// LineStart is where the line of an offset begins, LineEnd where its line break stands, NextLine what comes behind that.
func (f *File) LineStart(at int) int { return strings.LastIndexByte(f.Text[:at], '\n') + 1 }

func (f *File) LineEnd(at int) int {
	if i := strings.IndexByte(f.Text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(f.Text)
}

func (f *File) NextLine(at int) int { return min(f.LineEnd(at)+1, len(f.Text)) }

// Indent is the white space that the line of an offset begins with.
func (f *File) Indent(at int) string {
	line := f.Text[f.LineStart(at):]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// Calls gives those of some calls that a test accepts, with their arguments. A test that is nil accepts all.
func Calls(calls iter.Seq[syntax.Node], args func(call syntax.Node) []syntax.Node,
	test func(call syntax.Node) bool) iter.Seq2[syntax.Node, []syntax.Node] {
	return func(yield func(syntax.Node, []syntax.Node) bool) {
		for call := range calls {
			if (test == nil || test(call)) && !yield(call, args(call)) {
				return
			}
		}
	}
}

// Orphans tells which words the edits leave in the file just once, of those they take away: an import that nothing uses
// any more would tell that something is gone. Words in texts and comments count too: it is better to leave an import than
// to take one away that is used.
func (f *File) Orphans(word *regexp.Regexp, edits []Edit) func(name string) bool {
	counts := f.Project.Once("words/"+f.Path, func() any {
		counts := map[string]int{}
		for _, w := range word.FindAllString(f.Text, -1) {
			counts[w]++
		}
		return counts
	}).(map[string]int)
	change := map[string]int{}
	for _, e := range edits {
		if e.File != f.Path {
			continue
		}
		for _, w := range word.FindAllString(f.Text[e.Start:e.End], -1) {
			change[w]--
		}
		for _, w := range word.FindAllString(e.Text, -1) {
			change[w]++
		}
	}
	return func(name string) bool { return change[name] < 0 && counts[name]+change[name] == 1 }
}

// Cut shortens a text to at most n characters, of which mark are the last where something is left out.
func Cut(text string, n int, mark string) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-len([]rune(mark))]) + mark
	}
	return text
}

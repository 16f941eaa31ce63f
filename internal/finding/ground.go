package finding

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Source is the codebase that findings speak of. *codebase.Codebase satisfies it.
type Source interface {
	// Text returns the text of a file and whether there is one.
	Text(path string) (string, bool)
	// Paths lists all files.
	Paths() []string
}

// maxEvidenceLines bounds what one finding quotes: a claim about a whole file is anchored at its first lines.
const maxEvidenceLines = 40

// Ground looks for the code that each finding quotes. Where it is found, the finding is moved to the nearest place where
// it stands, and Evidence becomes the text of those lines; the others come back as ungrounded, each with Why.
//
// Quotes are compared without white space, and line numbers, diff marks and "..." that models add are seen through. A
// marker "[REDACTED:kind]" stands for any text on its line. Candidates are the files that the prompt held: they are
// searched when a finding names no file or one that does not hold its quote, and it moves only when exactly one of them does.
//
// The findings passed in are not changed.
func Ground(src Source, fs []Finding, candidates []string) (grounded, ungrounded []Finding) {
	g := grounder{src: src, candidates: candidates, files: map[string]*squeezed{}}
	for _, f := range fs {
		f.Sources = slices.Clone(f.Sources)
		f.Why = g.anchor(&f)
		f.Grounded = f.Why == ""
		if f.Grounded {
			grounded = append(grounded, f)
		} else {
			ungrounded = append(ungrounded, f)
		}
	}
	return grounded, ungrounded
}

// Quote is the text of lines line to end of text (1-based, inclusive), without the line break after the last, and
// whether there are such lines. It is what Evidence of a grounded finding is made of.
func Quote(text string, line, end int) (string, bool) {
	if line < 1 || end < line {
		return "", false
	}
	start := 0
	for n := 1; n < line; n++ {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return "", false
		}
		start += i + 1
	}
	stop := start
	for n := line; ; n++ {
		i := strings.IndexByte(text[stop:], '\n')
		if n == end {
			if i < 0 {
				return text[start:], true
			}
			return strings.TrimSuffix(text[start:stop+i], "\r"), true
		}
		if i < 0 {
			return "", false
		}
		stop += i + 1
	}
}

type grounder struct {
	src        Source
	candidates []string
	files      map[string]*squeezed // nil for a path that is not a file
	names      map[string][]string  // base name -> paths, built when first needed
}

func (g *grounder) file(p string) *squeezed {
	if s, ok := g.files[p]; ok {
		return s
	}
	var s *squeezed
	if text, ok := g.src.Text(p); ok {
		s = squeeze(text)
	}
	g.files[p] = s
	return s
}

// anchor moves f to where its quote stands. It returns "" or why it could not.
func (g *grounder) anchor(f *Finding) string {
	quotes := readings(f.Evidence)
	if len(quotes) == 0 {
		return "it quotes no code"
	}
	named := g.resolve(f.File)
	if len(named) == 1 {
		for _, q := range quotes {
			if at, ok := g.file(named[0]).find(q, f.Line); ok {
				g.settle(f, named[0], at)
				return ""
			}
		}
	}
	others := named
	if len(named) <= 1 {
		others = nil
		for _, c := range g.candidates {
			if len(named) == 1 && c == named[0] || g.file(c) == nil || slices.Contains(others, c) {
				continue
			}
			others = append(others, c)
		}
	}
	for _, q := range quotes {
		if !q.telling() {
			continue
		}
		var holders []string
		var place location
		for _, c := range others {
			if at, ok := g.file(c).find(q, f.Line); ok {
				holders, place = append(holders, c), at
			}
		}
		if len(holders) == 1 {
			g.settle(f, holders[0], place)
			return ""
		}
		if len(holders) > 1 {
			return fmt.Sprintf("the quoted code stands in %d files and %s", len(holders), ofThem(f.File))
		}
	}
	switch {
	case len(named) == 0 && f.File != "":
		return fmt.Sprintf("there is no file %q, and no file of the prompt holds the quoted code", termtext.Cut(f.File, 200))
	case len(named) == 0:
		return "it names no file, and no file of the prompt holds the quoted code"
	case !slices.ContainsFunc(quotes, quote.telling):
		return "the quoted code is too short to be found again"
	case len(named) > 1:
		return fmt.Sprintf("%d files are called %q, and none holds the quoted code", len(named), termtext.Cut(f.File, 200))
	}
	return "the quoted code does not stand in that file"
}

func ofThem(file string) string {
	if file == "" {
		return "none is named"
	}
	return "the file that is named is not one of them"
}

// settle puts f at a place of a file, with the text that stands there.
func (g *grounder) settle(f *Finding, p string, at location) {
	s := g.files[p]
	f.File = p
	f.Line, f.EndLine = at.line, min(at.end, at.line+maxEvidenceLines-1)
	f.Evidence = s.quote(f.Line, f.EndLine)
	if len(f.Evidence) > maxTextBytes {
		// A minified line: the part of it that was meant, still verbatim.
		from := max(0, min(at.offset-s.lineStart(f.Line)-200, len(f.Evidence)-maxTextBytes/4))
		for from > 0 && f.Evidence[from]&0xC0 == 0x80 {
			from--
		}
		f.Evidence = termtext.Cut(f.Evidence[from:], maxTextBytes/4)
	}
}

// resolve finds the files that a worker's spelling of a path can mean: the file itself, or every file whose path ends so.
func (g *grounder) resolve(name string) []string {
	if name == "" {
		return nil
	}
	if g.file(name) != nil {
		return []string{name}
	}
	clean := strings.Trim(strings.TrimSpace(name), "`'\"<>")
	clean = strings.TrimLeft(path.Clean("/"+strings.ReplaceAll(clean, `\`, "/")), "/")
	for _, c := range []string{clean, strings.TrimPrefix(clean, "a/"), strings.TrimPrefix(clean, "b/")} {
		if c != "" && g.file(c) != nil {
			return []string{c}
		}
	}
	if clean == "" {
		return nil
	}
	if g.names == nil {
		g.names = map[string][]string{}
		for _, p := range g.src.Paths() {
			g.names[path.Base(p)] = append(g.names[path.Base(p)], p)
		}
	}
	var tails []string
	for _, p := range g.names[path.Base(clean)] {
		if g.file(p) == nil {
			continue
		}
		// "src/utils.py" for "utils.py", and "utils.py" for "/home/me/repo/utils.py".
		if strings.HasSuffix(p, "/"+clean) || strings.HasSuffix("/"+clean, "/"+p) {
			tails = append(tails, p)
		}
		if len(tails) == 20 {
			break
		}
	}
	if len(tails) > 1 {
		in := slices.DeleteFunc(slices.Clone(tails), func(p string) bool { return !slices.Contains(g.candidates, p) })
		if len(in) == 1 {
			return in
		}
	}
	return tails
}

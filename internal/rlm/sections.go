package rlm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
)

// lines is a stretch of a file.
type lines struct {
	path     string
	from, to int
}

// section is a part of a prompt: lines of a file behind their header, each with its number.
type section struct {
	lines
	text string
}

// sections cuts a stretch of code into sections of at most room characters, headers and numbers included. A single line that
// is longer is cut into several under one number. The error is for a room that is too small for any.
func sections(code *codebase.Codebase, c lines, room int) (out []section, err error) {
	text, _ := code.Text(c.path)
	f, _ := code.File(c.path)
	number := len(fmt.Sprintf("%4d| \n", c.to)) // characters of a line's number and its end
	body := room - len(header(c.path, f.Lines, f.Lines, f.Lines))
	const least = 64 // characters of a long line that are worth a section
	if body-number < least {
		return nil, fmt.Errorf("the prompts are too short for code of %s beside its name", look.Name(c.path))
	}
	var b strings.Builder
	from, at := c.from, 0
	flush := func(to int) {
		if b.Len() > 0 {
			out = append(out, section{lines{c.path, from, to}, header(c.path, from, to, f.Lines) + b.String()})
			b.Reset()
		}
	}
	for line := range strings.Lines(text) {
		if at++; at < c.from {
			continue
		}
		if at > c.to {
			break
		}
		line = strings.TrimRight(line, "\r\n")
		if b.Len() > 0 && b.Len()+len(line)+number > body && (len(line)+number <= body || b.Len()+number+least > body) {
			flush(at - 1)
			from = at
		}
		for b.Len()+len(line)+number > body {
			k := whole(line, body-number-b.Len())
			look.Numbered(&b, at, line[:k])
			flush(at)
			from, line = at, line[k:]
		}
		look.Numbered(&b, at, line)
	}
	flush(c.to)
	return out, nil
}

// whole is how many of the first n bytes of a longer text do not split a character.
func whole(text string, n int) int {
	for k := n; k > n-utf8.UTFMax; k-- {
		if utf8.RuneStart(text[k]) {
			return k
		}
	}
	return n
}

const companionsTitle = "Definitions from elsewhere that this code uses:\n"

// Bounds on what comes along with the code of a prompt.
const (
	companionShare = 6  // of a prompt, at most one part in so many
	companionLines = 30 // of one definition
)

// companions are definitions from elsewhere that code uses, those first that decide most: base classes, functions that are
// called, constants, types. They take at most so many characters; what is shown already stays away.
func (n *node) companions(ctx context.Context, shown []lines, most int) string {
	g, err := n.graph(ctx)
	if err != nil { // the code itself says most
		return ""
	}
	held := func(s *graph.Symbol) bool {
		return slices.ContainsFunc(shown, func(l lines) bool { return l.path == s.File && l.from <= s.Line && s.EndLine <= l.to })
	}
	ranks := make([][]*graph.Symbol, 4)
	done := map[*graph.Symbol]bool{}
	for _, l := range shown {
		for _, e := range g.Uses(l.path, l.from, l.to) {
			if rank, ok := companion(e); ok && !done[e.To] && !held(e.To) {
				done[e.To] = true
				ranks[rank] = append(ranks[rank], e.To)
			}
		}
	}
	var b strings.Builder
	for _, s := range slices.Concat(ranks...) {
		pieces, err := sections(n.run.cfg.Codebase, lines{s.File, s.Line, min(s.EndLine, s.Line+companionLines-1)}, most)
		if err != nil {
			continue
		}
		for _, piece := range pieces {
			if len(companionsTitle)+b.Len()+len(piece.text) <= most {
				b.WriteString(piece.text)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return companionsTitle + b.String()
}

// companion says whether what code uses is to come along, and how early.
func companion(e graph.Edge) (rank int, ok bool) {
	if e.Confidence != graph.Exact {
		return 0, false
	}
	switch s := e.To; {
	case e.Role == graph.Extends:
		return 0, true
	case s.Kind == graph.KindFunction || s.Kind == graph.KindMethod:
		return 1, s.EndLine-s.Line < companionLines
	case s.Kind == graph.KindConstant || s.Kind == graph.KindVariable:
		return 2, true
	case s.Kind == graph.KindType:
		return 3, true
	}
	return 0, false
}

// header is the line before a file's text in a prompt.
func header(path string, from, to, total int) string {
	return fmt.Sprintf("=== FILE: %s (lines %d-%d of %d) ===\n", look.Name(path), from, to, total)
}

package rlm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// sections cuts a stretch of code into sections of at most room characters. A single line that is longer is cut into several
// under one number.
func sections(code *codebase.Codebase, c lines, room int) (out []section) {
	text, _ := code.Text(c.path)
	f, _ := code.File(c.path)
	const number = 8 // characters of a number and what stands around it
	body := max(200, room-len(c.path)-64)
	var b strings.Builder
	from, at := c.from, 0
	flush := func(to int) {
		if b.Len() > 0 {
			out = append(out, section{lines{c.path, from, to}, header(c.path, from, to, f.Lines) + b.String()})
			b.Reset()
		}
		from = to + 1
	}
	for line := range strings.Lines(text) {
		if at++; at < c.from {
			continue
		}
		if at > c.to {
			break
		}
		line = strings.TrimRight(line, "\r\n")
		if b.Len() > 0 && b.Len()+len(line)+number > body {
			flush(at - 1)
		}
		for len(line)+number > body {
			head := strings.ToValidUTF8(line[:body-number], "")
			look.Numbered(&b, at, head)
			flush(at)
			from, line = at, line[len(head):]
		}
		look.Numbered(&b, at, line)
	}
	flush(min(at, c.to))
	return out
}

// Bounds on what comes along with the code of a prompt.
const (
	companionShare = 6  // of the room, at most one part in so many
	companionLines = 30 // of one definition
)

// companions are the constants, types and base classes from elsewhere that code uses: what decides often stands in them. They
// take at most a part of the room; what is shown already, and what is only called, stays away.
func (n *node) companions(ctx context.Context, shown []lines, room int) string {
	g, err := n.graph(ctx)
	if err != nil { // the code itself says most
		return ""
	}
	held := func(s *graph.Symbol) bool {
		return slices.ContainsFunc(shown, func(l lines) bool { return l.path == s.File && l.from <= s.Line && s.EndLine <= l.to })
	}
	var b strings.Builder
	done := map[*graph.Symbol]bool{}
	for _, l := range shown {
		for _, e := range g.Uses(l.path, l.from, l.to) {
			s := e.To
			decides := e.Role == graph.Extends || s.Kind == graph.KindConstant || s.Kind == graph.KindType || s.Kind == graph.KindVariable
			if done[s] || !decides || e.Confidence != graph.Exact || held(s) {
				continue
			}
			done[s] = true
			for _, piece := range sections(n.run.cfg.Codebase, lines{s.File, s.Line, min(s.EndLine, s.Line+companionLines-1)}, room) {
				if b.Len()+len(piece.text) <= room/companionShare {
					b.WriteString(piece.text)
				}
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "Definitions from elsewhere that this code uses:\n" + b.String()
}

// header is the line before a file's text in a prompt.
func header(path string, from, to, total int) string {
	if strings.ContainsFunc(path, unicode.IsControl) || strings.HasPrefix(path, `"`) {
		path = strconv.Quote(path) // a newline in a name must not end the header
	}
	return fmt.Sprintf("=== FILE: %s (lines %d-%d of %d) ===\n", path, from, to, total)
}

package graph

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What of a family is written at most.
const (
	mostText       = 5000 // characters, before what varies and what only some have
	mostExceptions = 14
	mostElsewhere  = 4 // places of one exception
	mostOthers     = 6 // functions without a majority, and those that only some files have
	mostDiffs      = 3 // of one exception
	mostLines      = 3 // of a side of a difference
	mostWidth      = 140
	mostList       = 300
)

// String writes a family: its files in a line, what few of them do otherwise, and in a line each what has no majority.
func (v Variant) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d files: %s\n", len(v.Files), together(v.Files))
	for i, e := range v.Exceptions {
		if i == mostExceptions || b.Len() > mostText {
			fmt.Fprintf(&b, "  ... %d more\n", len(v.Exceptions)-i)
			break
		}
		e.write(&b)
	}
	if len(v.Exceptions) == 0 {
		b.WriteString("  none departs alone\n")
	}
	for i, u := range v.Unsettled {
		if i == mostOthers {
			fmt.Fprintf(&b, "  ... %d more that vary\n", len(v.Unsettled)-i)
			break
		}
		fmt.Fprintf(&b, "  %s: varies over %d files", u.Part, u.Files)
		for k, p := range u.Places[:min(len(u.Places), mostElsewhere)] {
			b.WriteString([]string{", as in ", ", "}[min(k, 1)] + p.short())
		}
		b.WriteString("\n")
	}
	var some []string
	for _, p := range v.Partial {
		verb, who := "not in", p.Lack
		if len(p.Have) < len(p.Lack) {
			verb, who = "only in", p.Have
		}
		if len(who) > max(1, len(v.Files)/8) || len(some) >= mostOthers {
			some = append(some, fmt.Sprintf("%s %d", p.Part, len(p.Have)))
			continue
		}
		fmt.Fprintf(&b, "  %s: %s %d of %d files, %s\n", p.Part, verb, len(who), len(v.Files), together(who))
	}
	if len(some) > 0 {
		fmt.Fprintf(&b, "  in some of %d files: %s\n", len(v.Files), termtext.CutWith(strings.Join(some, ", "), mostList, " ..."))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.EndLine > p.Line:
		return fmt.Sprintf("%s:%d-%d", p.File, p.Line, p.EndLine)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

func (p Place) short() string { p.File = path.Base(p.File); return p.String() }

func (e Exception) write(b *strings.Builder) {
	var places []string
	for i, p := range e.Places {
		if i == mostElsewhere {
			places = append(places, fmt.Sprintf("%d more", len(e.Places)-i))
			break
		}
		places = append(places, p.String())
	}
	part := e.Part
	if e.What == OtherLine {
		part = "outside of functions"
	}
	fmt.Fprintf(b, "  %s, %d of %d: %s", part, e.files, e.Of, strings.Join(places, " "))
	switch e.What {
	case OtherBody:
		b.WriteString(" has little in common with the others")
	case OtherComment:
		b.WriteString(" is the only one that says")
	}
	if e.Doc != "" {
		b.WriteString(" " + quoted(e.Doc))
	}
	if e.UsualDoc != "" {
		b.WriteString(" where others say " + quoted(e.UsualDoc))
	}
	b.WriteString("\n")
	margin := margin(e.Diff[:min(len(e.Diff), mostDiffs)])
	shown := map[string]bool{}
	for i, d := range e.Diff {
		if i == mostDiffs {
			fmt.Fprintf(b, "    ... %d more\n", len(e.Diff)-i)
			break
		}
		side(b, shown, "-", path.Base(d.Usual.File)+":", margin, d.Usual)
		side(b, shown, "+", "", margin, d.Has)
	}
}

// margin is the white space that all lines of some differences begin with.
func margin(diffs []Diff) string {
	var shared *string
	for _, d := range diffs {
		for line := range strings.Lines(d.Usual.text + "\n" + d.Has.text) {
			line = strings.TrimRight(line, " \t\r\n")
			if indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; line != "" && (shared == nil || len(indent) < len(*shared)) {
				shared = &indent
			}
		}
	}
	if shared == nil {
		return ""
	}
	return *shared
}

func quoted(doc string) string { return `"` + termtext.CutWith(doc, 100, " ...") + `"` }

// side writes the lines of one side of a difference that were not shown yet.
func side(b *strings.Builder, shown map[string]bool, sign, name, margin string, p Place) {
	lines := strings.Split(strings.TrimRight(p.text, "\n"), "\n")
	for i, text := range lines {
		if i == mostLines && len(lines) > mostLines+1 {
			fmt.Fprintf(b, "    %s ... %d more lines\n", sign, len(lines)-i)
			return
		}
		text = strings.TrimRight(strings.TrimPrefix(text, margin), " \t\r")
		text = fmt.Sprintf("    %s %s%d %s\n", sign, name, p.Line+i, termtext.CutWith(text, mostWidth, " ..."))
		if strings.TrimSpace(lines[i]) != "" && !shown[text] {
			shown[text] = true
			b.WriteString(text)
		}
	}
}

// together writes paths with what they share said once.
func together(paths []string) string {
	if len(paths) == 1 {
		return paths[0]
	}
	head, tail := paths[0], paths[0]
	for _, p := range paths[1:] {
		for !strings.HasPrefix(p, head) {
			head = head[:len(head)-1]
		}
		for !strings.HasSuffix(p, tail) {
			tail = tail[1:]
		}
	}
	// Words stay whole.
	head = head[:strings.LastIndexAny(head, "/_-.")+1]
	if i := strings.IndexFunc(tail, func(r rune) bool { return unicode.IsUpper(r) || strings.ContainsRune("/_-.", r) }); i >= 0 {
		tail = tail[i:]
	} else {
		tail = ""
	}
	for _, p := range paths { // what is left between them
		tail = tail[max(0, len(head)+len(tail)-len(p)):]
	}
	var b strings.Builder
	b.WriteString(head + "{")
	for i, p := range paths {
		if b.Len() > mostList {
			fmt.Fprintf(&b, ", %d more", len(paths)-i)
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(p[len(head) : len(p)-len(tail)])
	}
	return b.String() + "}" + tail
}

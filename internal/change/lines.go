package change

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Hunk is a stretch of lines that stands in the place of another, both from 1. Lines or WasLines may be 0: then Line or WasLine
// is the one that would follow.
type Hunk struct {
	Line, Lines       int
	WasLine, WasLines int
}

// hunks compares two texts line by line, anchored at the lines that stand once in both (diff.Diff has the method): the time it
// takes is bounded whatever the texts are.
func hunks(was, is string) []Hunk {
	unified := string(diff.Diff("was", []byte(was), "is", []byte(is)))
	var all []Hunk
	open := false
	line, wasLine, header := 1, 1, 3
	for text := range strings.Lines(unified) {
		if header > 0 {
			header--
			continue
		}
		if strings.HasPrefix(text, "@@ ") {
			line, wasLine = starts(text)
		}
		switch text[0] {
		case '-', '+':
			if !open {
				all, open = append(all, Hunk{Line: line, WasLine: wasLine}), true
			}
			if last := &all[len(all)-1]; text[0] == '-' {
				last.WasLines++
				wasLine++
			} else {
				last.Lines++
				line++
			}
		case ' ':
			open = false
			line, wasLine = line+1, wasLine+1
		case '@':
			open = false
		} // a backslash says that the line before it has no end
	}
	return all
}

// starts reads where a hunk of a unified diff begins: @@ -was,n +is,n @@.
func starts(header string) (line, wasLine int) {
	fields := strings.Fields(header)
	if len(fields) < 3 {
		return 1, 1
	}
	return start(fields[2]), start(fields[1])
}

// start reads -12,3 and +12,3: of a stretch without lines it is the line before.
func start(field string) int {
	first, count, _ := strings.Cut(field[1:], ",")
	n := 0
	for _, digit := range first {
		n = 10*n + int(digit-'0')
	}
	if count == "0" {
		n++
	}
	return n
}

// Changed says whether the change touched one of the lines from to to, or removed some between or next to them.
func (f File) Changed(from, to int) bool {
	for _, h := range f.Hunks {
		if h.Lines > 0 && h.Line <= to && h.Line+h.Lines > from || h.Lines == 0 && h.Line >= from && h.Line <= to+1 {
			return true
		}
	}
	return false
}

// WasChanged is Changed for the lines that the file had before; what was added next to them does not count.
func (f File) WasChanged(from, to int) bool {
	for _, h := range f.Hunks {
		if h.WasLines > 0 && h.WasLine <= to && h.WasLine+h.WasLines > from || h.WasLines == 0 && h.WasLine > from && h.WasLine <= to {
			return true
		}
	}
	return false
}

// Shift is how far a line of the file as it was has moved.
func (f File) Shift(wasLine int) int {
	by := 0
	for _, h := range f.Hunks {
		if h.WasLine+h.WasLines <= wasLine {
			by += h.Lines - h.WasLines
		}
	}
	return by
}

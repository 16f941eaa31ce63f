package opinion

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What lines and headers take beside their text, about.
const (
	margin     = 7
	headerRoom = 50
	longest    = 1000 // bytes of one line
)

// sheet is the code that a prompt shows: lines of files, in the order in which the files came in. It takes what fits.
type sheet struct {
	code *codebase.Codebase
	base *claim.Base
	room int // bytes that are left

	left  []stretch // what was left out
	quiet bool      // what is left out is not noted

	files []string
	texts map[string][]string
	taken map[string][]bool
}

func newSheet(code *codebase.Codebase, base *claim.Base, room int) *sheet {
	return &sheet{code: code, base: base, room: room, texts: map[string][]string{}, taken: map[string][]bool{}}
}

// lines are a file's, without their ends.
func (s *sheet) lines(path string) []string {
	if l, ok := s.texts[path]; ok {
		return l
	}
	text, _ := s.code.Text(path)
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, termtext.CutWith(strings.TrimRight(line, "\r\n"), longest, " ..."))
	}
	s.texts[path] = all
	return all
}

// cost is what lines from to to would take, as far as they are not there yet.
func (s *sheet) cost(path string, from, to int) int {
	lines, taken := s.lines(path), s.taken[path]
	sum := 0
	if taken == nil {
		sum = len(path) + headerRoom
	}
	for n := max(from, 1); n <= min(to, len(lines)); n++ {
		if taken == nil || !taken[n-1] {
			sum += len(lines[n-1]) + margin
		}
	}
	return sum
}

// add takes lines of a file if they fit.
func (s *sheet) add(path string, from, to int) bool {
	lines := s.lines(path)
	from, to = max(from, 1), min(to, len(lines))
	cost := s.cost(path, from, to)
	if from > to || cost > s.room {
		return false
	}
	taken := s.taken[path]
	if taken == nil {
		taken = make([]bool, len(lines))
		s.taken[path], s.files = taken, append(s.files, path)
	}
	for n := from; n <= to; n++ {
		taken[n-1] = true
	}
	s.room -= cost
	return true
}

// body takes lines of a file without what does not run: of a docstring or a comment only the first line stays. Where they
// are more than most bytes, their beginning is taken: rest is the first line that is not, 0 for none.
func (s *sheet) body(ctx context.Context, path string, from, to, most int) (rest int) {
	silent := s.base.Silent(ctx, path)
	lines := s.lines(path)
	quiet := 0
	for n := max(from, 1); n <= min(to, len(lines)); n++ {
		if silent[n-1] {
			if quiet++; quiet > 1 || strings.TrimSpace(lines[n-1]) == "" {
				continue
			}
		} else {
			quiet = 0
		}
		cost := s.cost(path, n, n)
		if most -= cost; most < 0 || !s.add(path, n, n) {
			return n
		}
	}
	return 0
}

// whole reports lines of a file that are there, as far as they run.
func (s *sheet) whole(ctx context.Context, path string, from, to int) bool {
	silent, taken := s.base.Silent(ctx, path), s.taken[path]
	for n := max(from, 1); n <= min(to, len(silent)); n++ {
		if !silent[n-1] && (taken == nil || !taken[n-1]) {
			return false
		}
	}
	return true
}

// leave notes lines of a file that are left out.
func (s *sheet) leave(name, path string, from, to int) {
	if from > 0 && from <= to && !s.quiet {
		s.left = append(s.left, stretch{name, path, from, to})
	}
}

// leftShare is which part of the room says what was left out.
const leftShare = 30

// leftOut names, within most bytes, what was left out: each definition once, but for what came in later.
func (s *sheet) leftOut(ctx context.Context, most int) string {
	const form = "\nLeft out: %s.\n"
	var left []stretch
	for _, l := range s.left {
		named := func(o stretch) bool { return o.name == l.name && o.file == l.file }
		if !s.whole(ctx, l.file, l.from, l.to) && !slices.ContainsFunc(left, named) {
			left = append(left, l)
		}
	}
	said := ""
	for i := range left {
		list := names(left[:i+1])
		if rest := len(left) - i - 1; rest > 0 {
			list += fmt.Sprintf(" and %d more", rest)
		}
		if len(form)+len(list) > most {
			break
		}
		said = fmt.Sprintf(form, list)
	}
	return said
}

// around takes lines of a file, and as many before and after them as fit into most bytes. It gives the first and the last.
func (s *sheet) around(path string, from, to, most int) (first, last int) {
	total := len(s.lines(path))
	from, to = min(max(from, 1), max(total, 1)), min(max(to, from, 1), max(total, 1))
	for s.cost(path, from, to) > most && to > from {
		to = from + (to-from)/2
	}
	for grown := true; grown && (from > 1 || to < total); {
		grown = false
		if from > 1 && s.cost(path, from-1, to) <= most {
			from, grown = from-1, true
		}
		if to < total && s.cost(path, from, to+1) <= most {
			to, grown = to+1, true
		}
	}
	s.add(path, from, to)
	return from, to
}

// text is the sheet as a prompt has it: a header for each file, and its lines behind their numbers.
func (s *sheet) text() string {
	var b strings.Builder
	for _, path := range s.files {
		lines, taken := s.lines(path), s.taken[path]
		first, last := 0, 0
		for i, t := range taken {
			if t {
				if last = i + 1; first == 0 {
					first = i + 1
				}
			}
		}
		fmt.Fprintf(&b, "=== FILE: %s (lines %d-%d of %d) ===\n", header(path), first, last, len(lines))
		for n := first; n <= last; n++ {
			switch {
			case taken[n-1]:
				look.Numbered(&b, n, lines[n-1])
			case taken[n-2] && taken[n]: // one line is shorter than the mark
				look.Numbered(&b, n, lines[n-1])
			case taken[n-2]:
				b.WriteString(" ...\n")
			}
		}
	}
	return b.String()
}

// header is a path as it can stand in a header: a newline in a name must not end it.
func header(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) || strings.HasPrefix(path, `"`) {
		return strconv.Quote(path)
	}
	return path
}

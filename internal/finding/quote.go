package finding

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// squeezed is a file without its white space, with the way back: text.bytes[i] came from line of original offset offsets[i].
type squeezed struct {
	original string
	bytes    string
	offsets  []int32 // original offset of each byte
	starts   []int   // original offset at which each line begins
}

// location is where a quote was found: 1-based lines, and the original offset of its first byte.
type location struct{ line, end, offset int }

func squeeze(text string) *squeezed {
	s := &squeezed{original: text, starts: []int{0}, offsets: make([]int32, 0, len(text)*3/4)}
	out := make([]byte, 0, len(text)*3/4)
	for i, r := range text {
		if r == '\n' {
			s.starts = append(s.starts, i+1)
		}
		if unicode.IsSpace(r) {
			continue
		}
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(text[i:])
		}
		for k := range n {
			out = append(out, text[i+k])
			s.offsets = append(s.offsets, int32(i+k))
		}
	}
	s.bytes = string(out)
	return s
}

// squeezeText drops all white space.
func squeezeText(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func (s *squeezed) lineStart(line int) int { return s.starts[line-1] }

// lineAt is the 1-based line of byte i of the squeezed text.
func (s *squeezed) lineAt(i int) int {
	off := int(s.offsets[i])
	return sort.Search(len(s.starts), func(k int) bool { return s.starts[k] > off })
}

// quote is Quote on the indexed text.
func (s *squeezed) quote(line, end int) string {
	stop := len(s.original)
	if end < len(s.starts) {
		return strings.TrimSuffix(s.original[s.starts[line-1]:s.starts[end]-1], "\r")
	}
	return s.original[s.starts[line-1]:stop]
}

// quote is one reading of a finding's evidence: literal parts of squeezed text, with a redacted gap between them.
type quote struct {
	parts    []string
	redacted bool
	wholes   []string // every line squeezed, for quotes too short to search for
}

// letters counts letters and digits.
func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// telling reports whether the quote holds enough to be searched for: 8 characters beside brackets, or, with a secret cut
// out of it, 4 letters.
func (q quote) telling() bool {
	text := strings.Join(q.parts, "")
	bare := strings.Trim(text, "{}()[];,")
	if q.redacted {
		return letters(bare) >= 4
	}
	return utf8.RuneCountInString(bare) >= 8 && letters(bare) >= 3
}

var (
	lineNumbers = pattern.New(`^\s*(?:(?:L|line )?\d{1,7}\s*(?:[:|│→]|\t|\))|\d{1,7}\s{2,})`)
	diffMark    = pattern.New(`^[+\-> ]`)
	elision     = pattern.New(`^\s*(?:#|//|--|/\*)?\s*(?:\.\.\.|…|\[\.\.\.\]|<snip>)\s*(?:\*/)?\s*$`)
	redaction   = pattern.New(`\[REDACTED:[A-Za-z0-9_-]{1,60}\]`)
)

// readings gives the ways to read a quote, the most literal first.
func readings(evidence string) []quote {
	evidence = strings.TrimSpace(evidence)
	if evidence == "" {
		return nil
	}
	lines := strings.Split(evidence, "\n")
	if len(lines) > 1 && strings.HasPrefix(strings.TrimSpace(lines[0]), "```") {
		lines = lines[1:]
		if strings.HasPrefix(strings.TrimSpace(lines[len(lines)-1]), "```") {
			lines = lines[:len(lines)-1]
		}
	}
	variants := [][]string{lines}
	if cut, ok := stripped(lines, lineNumbers); ok {
		variants = append(variants, cut)
	}
	if cut, ok := stripped(lines, diffMark); ok {
		variants = append(variants, cut)
	}
	if len(lines) == 1 {
		bare := strings.Trim(lines[0], "`")
		bare = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(bare), "..."), "…")
		variants = append(variants, []string{bare})
	}
	var out []quote
	for _, v := range variants {
		out = appendQuote(out, v)
	}
	// With lines left out, each stretch between the gaps, the longest first.
	for _, v := range variants {
		var pieces []quote
		start := 0
		for i := 0; i <= len(v); i++ {
			if i < len(v) && !elision.MatchString(v[i]) {
				continue
			}
			if start > 0 || i < len(v) {
				pieces = appendQuote(pieces, v[start:i])
			}
			start = i + 1
		}
		slices.SortStableFunc(pieces, func(a, b quote) int {
			return len(strings.Join(b.parts, "")) - len(strings.Join(a.parts, ""))
		})
		for _, p := range pieces {
			if p.telling() {
				out = append(out, p)
			}
		}
	}
	return out
}

func appendQuote(out []quote, lines []string) []quote {
	text := strings.Join(lines, "\n")
	var q quote
	q.redacted = redaction.MatchString(text)
	for _, p := range redaction.Split(text, -1) {
		q.parts = append(q.parts, squeezeText(p))
	}
	if strings.Join(q.parts, "") == "" {
		return out
	}
	for _, l := range lines {
		if l = squeezeText(l); l != "" {
			q.wholes = append(q.wholes, l)
		}
	}
	return append(out, q)
}

// stripped takes the prefix off every line, when every line that is not blank has it.
func stripped(lines []string, prefix *pattern.Pattern) ([]string, bool) {
	out := make([]string, len(lines))
	any := false
	for i, l := range lines {
		if strings.TrimSpace(l) == "" || elision.MatchString(l) {
			out[i] = l
			continue
		}
		m := prefix.FindString(l)
		if m == "" {
			return nil, false
		}
		out[i], any = l[len(m):], true
	}
	return out, any
}

// find looks for q and gives the occurrence nearest to line near (the first when near is 0). A quote too short to be
// telling counts only when it is all that stands at near.
func (s *squeezed) find(q quote, near int) (location, bool) {
	if s == nil {
		return location{}, false
	}
	if !q.telling() {
		return s.findWhole(q, near)
	}
	parts := q.parts
	for len(parts) > 0 && parts[0] == "" {
		parts = parts[1:]
	}
	first := parts[0]
	best, found := location{}, false
	// 10,000 occurrences are enough to have passed any place a model can mean.
	for from, n := 0, 0; n < 10_000; n++ {
		i := strings.Index(s.bytes[from:], first)
		if i < 0 {
			break
		}
		start := from + i
		from = start + 1
		end, ok := s.follow(parts, start)
		if !ok {
			continue
		}
		at := location{line: s.lineAt(start), end: s.lineAt(end - 1), offset: int(s.offsets[start])}
		if !found || distance(at, near) < distance(best, near) {
			best, found = at, true
		}
		if near == 0 || at.line >= near {
			break
		}
	}
	return best, found
}

// follow matches the parts after the first, each on the line where the part before it ended.
func (s *squeezed) follow(parts []string, start int) (end int, ok bool) {
	end = start + len(parts[0])
	for _, p := range parts[1:] {
		if p == "" {
			continue
		}
		i := strings.Index(s.bytes[end:], p)
		if i < 0 || s.lineAt(end+i) != s.lineAt(end-1) {
			return 0, false
		}
		end += i + len(p)
	}
	return end, true
}

func distance(l location, near int) int {
	if near < l.line {
		return l.line - near
	}
	return max(0, near-l.end)
}

// findWhole accepts a short quote whose lines are exactly the lines at near.
func (s *squeezed) findWhole(q quote, near int) (location, bool) {
	if near < 1 || near > len(s.starts) || letters(strings.Join(q.parts, "")) < 3 {
		return location{}, false
	}
	end := near + len(q.wholes) - 1
	if end > len(s.starts) {
		return location{}, false
	}
	for i, want := range q.wholes {
		if !isLine(squeezeText(s.quote(near+i, near+i)), redaction.Split(want, -1)) {
			return location{}, false
		}
	}
	return location{line: near, end: end, offset: s.starts[near-1]}, true
}

// isLine reports whether line is these parts in order, with any text between them.
func isLine(line string, parts []string) bool {
	rest, ok := strings.CutPrefix(line, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return strings.HasSuffix(rest, parts[last])
}

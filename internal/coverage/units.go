package coverage

import (
	"hash/maphash"
	"strconv"
	"strings"
)

const (
	// longLine is the length in bytes above which a line is taken in pieces.
	longLine = 512
	// maxPiece bounds a piece where the content offers no place to split.
	maxPiece = 512
)

// unit is what runs are made of: a line without its outer white space, or a
// piece of a long one.
type unit struct {
	text       string
	hash       uint64
	start, end int32 // bytes in the text it was found in
	line       int32 // 0-based
}

// splitUnits appends the units of text.
func splitUnits(units []unit, text string, seed maphash.Seed) []unit {
	off, line := 0, int32(0)
	for s := range strings.Lines(text) {
		units = lineUnits(units, strings.TrimSuffix(s, "\n"), off, line, seed)
		off, line = off+len(s), line+1
	}
	return units
}

// lineUnits appends the units of one line that starts at byte pos.
func lineUnits(units []unit, s string, pos int, line int32, seed maphash.Seed) []unit {
	lo, hi := 0, len(s)
	for lo < hi && isSpace(s[lo]) {
		lo++
	}
	for hi > lo && isSpace(s[hi-1]) {
		hi--
	}
	if lo == hi {
		return units
	}
	if hi-lo <= longLine {
		return append(units, unit{text: s[lo:hi], hash: maphash.String(seed, s[lo:hi]), start: int32(pos + lo), end: int32(pos + hi), line: line})
	}
	for lo < hi {
		n := pieceLength(s[lo:hi])
		p := s[lo : lo+n]
		units = append(units, unit{text: p, hash: maphash.String(seed, p), start: int32(pos + lo), end: int32(pos + lo + n), line: line})
		lo += n
	}
	return units
}

// pieceLength finds where a long line is split: at places that depend on the 32
// bytes before them only, about every 64 bytes, so that a part of the line cut
// out anywhere splits as the whole does.
func pieceLength(s string) int {
	var h uint32
	for i := range min(len(s), maxPiece) {
		h = h<<1 + (uint32(s[i])+1)*0x9E3779B1
		if h>>26 == 0 {
			return i + 1
		}
	}
	return min(len(s), maxPiece)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f' }

// stripNumber removes a line number in front of a line of a prompt.
func stripNumber(s string) (string, bool) {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i < len(s) && s[i] == 'L' {
		i++
	}
	digits := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == digits || i-digits > 7 {
		return "", false
	}
	rest := strings.TrimLeft(s[i:], " \t")
	for _, sep := range []string{":", "|", "→", ")", "."} {
		if after, ok := strings.CutPrefix(rest, sep); ok {
			return after, true
		}
	}
	// Spaces or nothing alone separate too: "12 x", and "12" before a blank line.
	if len(rest) < len(s)-i || rest == "" || rest == "\r" {
		return rest, true
	}
	return "", false
}

// numbered gives the blocks of consecutive lines of prompt that begin with a
// line number, each as the units behind the numbers.
func numbered(prompt string, seed maphash.Seed) [][]unit {
	var blocks [][]unit
	var block []unit
	flush := func() {
		if len(block) > 0 {
			blocks = append(blocks, block)
			block = nil
		}
	}
	off, line := 0, int32(0)
	for whole := range strings.Lines(prompt) {
		s := strings.TrimSuffix(whole, "\n")
		if rest, ok := stripNumber(s); ok {
			block = lineUnits(block, rest, off+len(s)-len(rest), line, seed)
		} else {
			flush()
		}
		off, line = off+len(whole), line+1
	}
	flush()
	return blocks
}

// escaped gives the blocks of units that stand in prompt as escaped strings: a
// line with at least one \n in backslash form.
func escaped(prompt string, seed maphash.Seed) [][]unit {
	if !strings.Contains(prompt, `\n`) {
		return nil
	}
	var blocks [][]unit
	off := 0
	for s := range strings.Lines(prompt) {
		if strings.Count(s, `\n`) > 2 {
			if block := unescape(strings.TrimSuffix(s, "\n"), off, seed); len(block) > 0 {
				blocks = append(blocks, block)
			}
		}
		off += len(s)
	}
	return blocks
}

// unescape reads the backslash escapes that repr and JSON share. The quotes that
// delimit a string in the middle of the line end a line of it too.
func unescape(s string, base int, seed maphash.Seed) []unit {
	var units []unit
	buf := make([]byte, 0, 256)
	from, line := 0, int32(0)
	emit := func(to int) {
		n := len(units)
		units = lineUnits(units, string(buf), 0, line, seed)
		for i := n; i < len(units); i++ {
			// Positions inside an escaped line are those of the escaped form.
			units[i].start, units[i].end = int32(base+from), int32(base+to)
		}
		buf = buf[:0]
		line++
	}
	var quote byte // the quote that the string began with; 0 outside
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				emit(i + 1)
				from = i + 1
			case 't':
				buf = append(buf, '\t')
			case 'r':
				buf = append(buf, '\r')
			case 'u':
				if r, n := hex4(s[i+1:]); n > 0 {
					buf = append(buf, string(r)...)
					i += n
				} else {
					buf = append(buf, '\\', 'u')
				}
			case '\\', '"', '\'', '/':
				buf = append(buf, s[i])
			default:
				buf = append(buf, '\\', s[i])
			}
		case quote == 0 && (c == '"' || c == '\'') && (i == 0 || !isWordByte(s[i-1])):
			quote = c
			emit(i)
			from = i + 1
		case quote != 0 && c == quote:
			quote = 0
			emit(i)
			from = i + 1
		default:
			buf = append(buf, c)
		}
	}
	emit(len(s))
	return units
}

func hex4(s string) (rune, int) {
	if len(s) < 4 {
		return 0, 0
	}
	r, err := strconv.ParseUint(s[:4], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(r), 4
}

package finding

import (
	"encoding/json"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// span is a half-open range of bytes.
type span struct{ start, end int }

// salvage reads the complete objects out of a reply that is not JSON as a whole: cut off, wrapped in prose, or with the
// small faults that models make. It reads the reply twice, as JSON has it and with line breaks allowed inside strings,
// and keeps the reading that gave more.
func salvage(text string) (Parsed, bool) {
	spans, cut := objects(text, false)
	p, ok := collectSpans(text, spans, false)
	spans, looseCut := objects(text, true)
	if loose, okLoose := collectSpans(text, spans, true); !ok || len(loose.Findings) > len(p.Findings) {
		p, ok, cut = loose, okLoose, looseCut
	}
	p.Cut = cut || strings.HasPrefix(text, "[") && !strings.HasSuffix(text, "]")
	if ok && p.Summary == "" {
		p.Summary = summaryOf(text)
	}
	return p, ok
}

func collectSpans(text string, spans []span, loose bool) (Parsed, bool) {
	var p Parsed
	known := false
	for _, s := range spans {
		raw := text[s.start:s.end]
		var v any
		if json.Unmarshal([]byte(raw), &v) != nil {
			if !loose || json.Unmarshal([]byte(repair(raw)), &v) != nil {
				continue
			}
		}
		known = p.collect(v, 0) || known
	}
	return p, known
}

// objects finds the outermost balanced {...} of text in one pass. An object that never closes (cut) gives the ones inside
// it. With multiline false a line break ends a string, so that a stray quote in prose does not swallow the rest.
func objects(text string, multiline bool) (done []span, cut bool) { // done: closed, disjoint, ascending
	var open []int // starts of the objects that are open
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inString {
			switch {
			case c == '\\':
				i++
			case c == '"', c == '\n' && !multiline:
				inString = false
			}
			continue
		}
		switch c {
		case '"':
			inString = len(open) > 0
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			for len(done) > 0 && done[len(done)-1].start > start {
				done = done[:len(done)-1]
			}
			done = append(done, span{start, i + 1})
		}
	}
	return done, len(open) > 0
}

// repair fixes the faults that have only one reading: raw line breaks and tabs inside strings, escapes that JSON does
// not know (\d, \'), and commas before a closing bracket.
func repair(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 64)
	inString := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if inString {
			switch {
			case c == '\\' && i+1 < len(s):
				i++
				switch n := s[i]; n {
				case '"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u':
					b.WriteByte('\\')
					b.WriteByte(n)
				case '\'':
					b.WriteByte(n)
				default:
					b.WriteString(`\\`)
					i-- // the byte may be a line break or the lead of a rune
				}
				continue
			case c == '\n':
				b.WriteString(`\n`)
				continue
			case c == '\r':
				b.WriteString(`\r`)
				continue
			case c == '\t':
				b.WriteString(`\t`)
				continue
			case c < 0x20:
				b.WriteByte(' ')
				continue
			case c == '"':
				inString = false
			}
			b.WriteByte(c)
			continue
		}
		if c == '"' {
			inString = true
		}
		if c == ',' {
			rest := strings.TrimLeft(s[i+1:min(len(s), i+200)], " \t\r\n")
			if strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "]") {
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

var summaryKey = pattern.New(`"summary"\s*:\s*("(?:[^"\\\n]|\\.)*")`)

// summaryOf finds a complete "summary" string in a reply that was cut later.
func summaryOf(text string) string {
	m := summaryKey.FindStringSubmatch(termtext.Cut(text, 64<<10))
	if m == nil {
		return ""
	}
	var s string
	if json.Unmarshal([]byte(m[1]), &s) != nil {
		return ""
	}
	return termtext.Cut(s, maxTextBytes)
}

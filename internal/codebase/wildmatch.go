package codebase

import "strings"

// wildSteps bounds one match: a hostile pattern such as **/**/**/** would
// otherwise take exponential time. A match that runs out counts as none.
const wildSteps = 100_000

type wildResult uint8

const (
	wildNo wildResult = iota
	wildYes
	wildAbortAll
	wildAbortToStarStar
)

// wildmatch is git's wildmatch.c: pathname says that * ? and [] stop at a slash
// and that ** between slashes spans directories.
func wildmatch(pattern, text string, pathname bool) bool {
	w := wild{pathname: pathname, steps: wildSteps}
	return w.match(pattern, text) == wildYes
}

type wild struct {
	pathname bool
	steps    int
}

// at gives 0 past the end, as in C; patterns and paths hold no NUL.
func at(s string, i int) byte {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return 0
}

func (w *wild) match(pat, text string) wildResult {
	if w.steps--; w.steps < 0 {
		return wildAbortAll
	}
	p, t := 0, 0
	for ; p < len(pat); p, t = p+1, t+1 {
		c, tc := pat[p], at(text, t)
		if t >= len(text) && c != '*' {
			return wildAbortAll
		}
		switch c {
		case '\\':
			p++
			if tc != at(pat, p) || p >= len(pat) {
				return wildNo
			}
		default:
			if tc != c {
				return wildNo
			}
		case '?':
			if w.pathname && tc == '/' {
				return wildNo
			}
		case '[':
			next, matched, ok := bracket(pat, p, tc)
			if !ok {
				return wildAbortAll
			}
			if !matched || w.pathname && tc == '/' {
				return wildNo
			}
			p = next
		case '*':
			r, slash := w.star(pat, p, text, t)
			if slash < 0 {
				return r
			}
			// "*/" matched up to a slash, which the loop consumes on both sides.
			p, t = slash, t+strings.IndexByte(text[t:], '/')
		}
	}
	if t < len(text) {
		return wildNo
	}
	return wildYes
}

// star handles the stars at pat[p:]. It returns the final result, or the index of the pattern's slash from which the
// caller continues.
func (w *wild) star(pat string, p int, text string, t int) (wildResult, int) {
	start := p
	matchSlash := !w.pathname
	p++
	if at(pat, p) == '*' {
		for at(pat, p) == '*' {
			p++
		}
		if w.pathname {
			before := start == 0 || pat[start-1] == '/'
			after := p == len(pat) || pat[p] == '/' || pat[p] == '\\' && at(pat, p+1) == '/'
			if before && after {
				if at(pat, p) == '/' && w.match(pat[p+1:], text[t:]) == wildYes {
					return wildYes, -1
				}
				matchSlash = true
			}
		}
	}
	if p == len(pat) {
		if !matchSlash && strings.IndexByte(text[t:], '/') >= 0 {
			return wildAbortToStarStar, -1
		}
		return wildYes, -1
	}
	if !matchSlash && pat[p] == '/' {
		if strings.IndexByte(text[t:], '/') < 0 {
			return wildAbortAll, -1
		}
		return wildNo, p
	}
	for ; t < len(text); t++ {
		if !strings.ContainsRune(`*?[\`, rune(pat[p])) {
			// Skip to the next byte that can match the literal after the stars.
			for t < len(text) && text[t] != pat[p] && (matchSlash || text[t] != '/') {
				t++
			}
			if at(text, t) != pat[p] {
				if matchSlash {
					return wildAbortAll, -1
				}
				return wildAbortToStarStar, -1
			}
		}
		r := w.match(pat[p:], text[t:])
		if r != wildNo {
			if !matchSlash || r != wildAbortToStarStar {
				return r, -1
			}
		} else if !matchSlash && text[t] == '/' {
			return wildAbortToStarStar, -1
		}
	}
	return wildAbortAll, -1
}

// bracket matches c against the set at pat[p]. It returns the index of the
// closing bracket; ok is false for a set that is not closed or malformed.
func bracket(pat string, p int, c byte) (end int, matched, ok bool) {
	p++
	negated := at(pat, p) == '!' || at(pat, p) == '^'
	if negated {
		p++
	}
	var prev byte
	for first := true; first || at(pat, p) != ']'; first = false {
		pc := at(pat, p)
		if pc == 0 {
			return 0, false, false
		}
		switch {
		case pc == '\\':
			p++
			if pc = at(pat, p); pc == 0 {
				return 0, false, false
			}
			matched = matched || c == pc
		case pc == '-' && prev != 0 && at(pat, p+1) != 0 && at(pat, p+1) != ']':
			p++
			pc = at(pat, p)
			if pc == '\\' {
				p++
				if pc = at(pat, p); pc == 0 {
					return 0, false, false
				}
			}
			matched = matched || prev <= c && c <= pc
			pc = 0
		case pc == '[' && at(pat, p+1) == ':':
			closing := strings.IndexByte(pat[p+2:], ']')
			if closing < 0 {
				return 0, false, false
			}
			name := pat[p+2 : p+2+closing]
			if !strings.HasSuffix(name, ":") {
				// No ":]": an ordinary set that holds a bracket.
				matched = matched || c == '['
				break
			}
			in, known := inClass(strings.TrimSuffix(name, ":"), c)
			if !known {
				return 0, false, false
			}
			matched = matched || in
			p += 2 + closing
			pc = 0
		default:
			matched = matched || c == pc
		}
		prev = pc
		p++
	}
	return p, matched != negated, true
}

func inClass(name string, c byte) (in, known bool) {
	lower, upper, digit := c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9'
	graph := c > ' ' && c < 0x7f
	switch name {
	case "alnum":
		return lower || upper || digit, true
	case "alpha":
		return lower || upper, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !lower && !upper && !digit, true
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r', true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	}
	return false, false
}

package codebase

import "strings"

// maxPattern is the longest pattern that can match anything. A path has at most 4,096 bytes, so the rest of a longer pattern
// would be sets, escapes and stars.
const maxPattern = 8 << 10

// A match begins to remember what it has tried after so many steps, which ordinary patterns never take. To remember costs as
// much as some steps.
const (
	remember     = 1_000
	rememberCost = 8
)

type wildResult uint8

const (
	wildUnknown wildResult = iota
	wildNo
	wildYes
	wildAbortAll
	wildAbortToStarStar
)

// wildmatch is git's wildmatch.c: pathname says that * ? and [] stop at a slash
// and that ** between slashes spans directories. It also says how many steps that took: at most in proportion to the product
// of both lengths, where git's own function takes exponential time for patterns such as **/**/**/**.
func wildmatch(pattern, text string, pathname bool) (matched bool, steps int) {
	if len(pattern) > maxPattern {
		return false, 1
	}
	w := wild{pat: pattern, text: text, pathname: pathname, remember: remember}
	return w.match(0, 0) == wildYes, w.steps
}

type wild struct {
	pat, text string
	pathname  bool
	steps     int
	remember  int // after how many steps
	// matches and loops hold what match and starFrom came to for a place in the pattern and one in the text, 0 being
	// unknown: neither depends on anything else.
	matches, loops memo
}

// memo has a row for each place in the pattern, made when it is first needed, and in it a cell for each place in the text.
type memo [][]wildResult

func (m memo) known(p, t int) (wildResult, bool) {
	if m == nil || m[p] == nil || m[p][t] == wildUnknown {
		return wildUnknown, false
	}
	return m[p][t], true
}

func (w *wild) learn(m *memo, p, t int, r wildResult) {
	if w.steps < w.remember {
		return
	}
	if *m == nil {
		*m = make(memo, len(w.pat)+1)
	}
	if (*m)[p] == nil {
		(*m)[p] = make([]wildResult, len(w.text)+1)
	}
	(*m)[p][t] = r
	w.steps += rememberCost
}

// at gives 0 past the end, as in C; patterns and paths hold no NUL.
func at(s string, i int) byte {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return 0
}

// match compares what follows p in the pattern with what follows t in the text.
func (w *wild) match(p, t int) wildResult {
	if r, ok := w.matches.known(p, t); ok {
		return r
	}
	r := w.matchNew(p, t)
	w.learn(&w.matches, p, t, r)
	return r
}

func (w *wild) matchNew(p, t int) wildResult {
	pat, text, begin := w.pat, w.text, p
	for ; p < len(pat); p, t = p+1, t+1 {
		w.steps++
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
			w.steps += next - p
			if !matched || w.pathname && tc == '/' {
				return wildNo
			}
			p = next
		case '*':
			r, slash := w.star(begin, p, t)
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

// star handles the stars at p of a match that began at begin. It returns the final result, or the index of the pattern's
// slash from which the caller continues.
func (w *wild) star(begin, p, t int) (wildResult, int) {
	pat, text, start := w.pat, w.text, p
	matchSlash := !w.pathname
	p++
	if at(pat, p) == '*' {
		for at(pat, p) == '*' {
			p++
		}
		w.steps += p - start
		if w.pathname {
			before := start == begin || pat[start-1] == '/'
			after := p == len(pat) || pat[p] == '/' || pat[p] == '\\' && at(pat, p+1) == '/'
			if before && after {
				if at(pat, p) == '/' && w.match(p+1, t) == wildYes {
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
	return w.starFrom(p, t, matchSlash), -1
}

// starFrom tries the rest of the pattern, behind stars, at t and at every later place that the stars may reach.
func (w *wild) starFrom(p, t int, matchSlash bool) wildResult {
	first := t
	r := wildAbortAll
	for ; t < len(w.text); t++ {
		w.steps++
		var done bool
		if r, done = w.loops.known(p, t); done {
			break
		}
		if t, r, done = w.starAt(p, t, matchSlash); done {
			break
		}
		r = wildAbortAll
	}
	for ; t >= first && w.steps >= w.remember; t-- {
		w.learn(&w.loops, p, t, r)
	}
	return r
}

// starAt is one turn of starFrom: the place it came to, and the final result if it is done.
func (w *wild) starAt(p, t int, matchSlash bool) (int, wildResult, bool) {
	pat, text := w.pat, w.text
	if !strings.ContainsRune(`*?[\`, rune(pat[p])) {
		// Skip to the next byte that can match the literal after the stars.
		for t < len(text) && text[t] != pat[p] && (matchSlash || text[t] != '/') {
			t++
			w.steps++
		}
		if at(text, t) != pat[p] {
			if matchSlash {
				return t, wildAbortAll, true
			}
			return t, wildAbortToStarStar, true
		}
	}
	r := w.match(p, t)
	if r != wildNo {
		return t, r, !matchSlash || r != wildAbortToStarStar
	}
	return t, wildAbortToStarStar, !matchSlash && text[t] == '/'
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
	closing := p // the first "]" from here on, looked for when it is needed
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
			if closing < p+2 {
				more := strings.IndexByte(pat[p+2:], ']')
				if more < 0 {
					return 0, false, false
				}
				closing = p + 2 + more
			}
			name := pat[p+2 : closing]
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
			p = closing
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

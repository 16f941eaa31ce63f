package ambiguity

import (
	"slices"
	"unicode"
)

// set is a set of characters: ranges in order, none of which touch.
type set [][2]rune

func setOf(ranges ...[2]rune) set {
	slices.SortFunc(ranges, func(a, b [2]rune) int { return int(a[0]) - int(b[0]) })
	var s set
	for _, r := range ranges {
		if k := len(s) - 1; k >= 0 && r[0] <= s[k][1]+1 {
			s[k][1] = max(s[k][1], r[1])
		} else {
			s = append(s, r)
		}
	}
	return s
}

func one(r rune) set { return set{{r, r}} }

func (s set) or(t set) set { return setOf(slices.Concat(s, t)...) }

func (s set) not() set {
	var out set
	next := rune(0)
	for _, r := range s {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, [2]rune{next, unicode.MaxRune})
	}
	return out
}

func (s set) and(t set) set {
	var out set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		if from, to := max(s[i][0], t[j][0]), min(s[i][1], t[j][1]); from <= to {
			out = append(out, [2]rune{from, to})
		}
		if s[i][1] < t[j][1] {
			i++
		} else {
			j++
		}
	}
	return out
}

func (s set) has(r rune) bool {
	_, found := slices.BinarySearchFunc(s, r, func(x [2]rune, r rune) int {
		switch {
		case x[1] < r:
			return -1
		case x[0] > r:
			return 1
		}
		return 0
	})
	return found
}

// fold adds the other case of ASCII's letters.
func (s set) fold() set {
	ranges := slices.Clone(s)
	for _, letters := range [][2]rune{{'a', 'z'}, {'A', 'Z'}} {
		for _, r := range s.and(set{letters}) {
			ranges = append(ranges, [2]rune{r[0] ^ 0x20, r[1] ^ 0x20})
		}
	}
	return setOf(ranges...)
}

// sample is a character of the set, one that is easy to read if there is one.
func (s set) sample() (rune, bool) {
	for _, liked := range []set{{{'a', 'z'}}, {{'0', '9'}}, {{'A', 'Z'}}, {{'!', '~'}}, {{' ', ' '}}, {{'\t', '\r'}}, {{0, 0x7f}}} {
		if both := s.and(liked); len(both) > 0 {
			return both[0][0], true
		}
	}
	for _, r := range s {
		if r[0] < 0xd800 || r[0] > 0xdfff {
			return r[0], true
		}
	}
	return 0, false
}

var (
	digits = set{{'0', '9'}}
	words  = setOf([2]rune{'a', 'z'}, [2]rune{'A', 'Z'}, [2]rune{'0', '9'}, [2]rune{'_', '_'})
	spaces = setOf([2]rune{'\t', '\r'}, [2]rune{' ', ' '})
	hex    = setOf([2]rune{'0', '9'}, [2]rune{'a', 'f'}, [2]rune{'A', 'F'})
	blanks = setOf([2]rune{'\t', '\t'}, [2]rune{' ', ' '})
	breaks = setOf([2]rune{'\n', '\r'})
	upper  = set{{'A', 'Z'}}
	lower  = set{{'a', 'z'}}
	punct  = setOf([2]rune{'!', '/'}, [2]rune{':', '@'}, [2]rune{'[', '`'}, [2]rune{'{', '~'})
	every  = set{{0, unicode.MaxRune}}
)

// posix are the classes of [[:name:]] and \p{name}.
func posix(name string) (set, bool) {
	switch name {
	case "alpha", "Alpha":
		return upper.or(lower), true
	case "digit", "Digit":
		return digits, true
	case "alnum", "Alnum":
		return upper.or(lower).or(digits), true
	case "space", "Space":
		return spaces, true
	case "upper", "Upper":
		return upper, true
	case "lower", "Lower":
		return lower, true
	case "punct", "Punct":
		return punct, true
	case "word":
		return words, true
	case "xdigit", "XDigit":
		return hex, true
	case "blank", "Blank":
		return blanks, true
	case "cntrl", "Cntrl":
		return setOf([2]rune{0, 31}, [2]rune{127, 127}), true
	case "print", "Print":
		return set{{' ', '~'}}, true
	case "graph", "Graph":
		return set{{'!', '~'}}, true
	}
	return nil, false
}

// property is the set of \p{name}.
func property(name string) (set, bool) {
	if s, ok := posix(name); ok {
		return s, true
	}
	table := unicode.Categories[name]
	if table == nil {
		table = unicode.Scripts[name]
	}
	if table == nil {
		return nil, false
	}
	var ranges [][2]rune
	for _, r := range table.R16 {
		if r.Stride == 1 {
			ranges = append(ranges, [2]rune{rune(r.Lo), rune(r.Hi)})
			continue
		}
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			ranges = append(ranges, [2]rune{c, c})
		}
	}
	for _, r := range table.R32 {
		ranges = append(ranges, [2]rune{rune(r.Lo), rune(r.Hi)}) // wider than it is where the stride is not 1: far beyond samples
	}
	return setOf(ranges...), true
}

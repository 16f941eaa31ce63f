package difflib

import (
	"slices"
	"unicode/utf8"
)

// A text b of at least autojunkLength code points has a code point ignored for finding matches (but not for extending
// them) when it occurs more than len(b)/100 + 1 times. This is SequenceMatcher's autojunk=True, its default.
const autojunkLength = 200

// Matcher holds a text b prepared for comparisons with any number of texts a. What is prepared is b's side because
// the ratio is not symmetric: only b has popular characters. A Matcher is not safe for concurrent use.
type Matcher struct {
	text   string
	length int    // of text, in code points
	b      []rune // nil until the first comparison that its length allows

	// Each distinct code point of b has a number; those of ASCII are found without the map. 0 stands for absent.
	ascii [128]int32
	other map[rune]int32
	// where[start[n]:start[n+1]] are the positions of number n in b, ascending, none for a popular one; count is how
	// often it occurs, popular or not.
	start, where, count []int32

	// Work space of one comparison.
	a          []rune
	numbers    []int32 // of a's code points
	runs, next []int32 // lengths of the matches that end at the previous, and at this, code point of a; by position in b, from 1
	used       []int32 // counts for the upper bound
	todo       []span
}

// span is a part of a and a part of b that are still to be matched.
type span struct{ alo, ahi, blo, bhi int }

// NewMatcher prepares b.
func NewMatcher(b string) *Matcher {
	return &Matcher{text: b, length: utf8.RuneCountInString(b)}
}

// prepare indexes b.
func (m *Matcher) prepare() {
	if m.b != nil {
		return
	}
	m.b, m.other = []rune(m.text), map[rune]int32{}
	numbers := make([]int32, len(m.b))
	distinct := int32(0)
	for i, r := range m.b {
		n := m.number(r)
		if n == 0 {
			distinct++
			n = distinct
			if r < 128 {
				m.ascii[r] = n
			} else {
				m.other[r] = n
			}
		}
		numbers[i] = n
	}
	m.count = make([]int32, distinct+1)
	for _, n := range numbers {
		m.count[n]++
	}
	m.start = make([]int32, distinct+2)
	for n := int32(1); n <= distinct; n++ {
		held := m.count[n]
		if m.popular(n) {
			held = 0
		}
		m.start[n+1] = m.start[n] + held
	}
	m.where = make([]int32, m.start[distinct+1])
	at := append([]int32(nil), m.start...)
	for i, n := range numbers {
		if !m.popular(n) {
			m.where[at[n]] = int32(i)
			at[n]++
		}
	}
	m.runs, m.next = make([]int32, len(m.b)+1), make([]int32, len(m.b)+1)
	m.used = make([]int32, distinct+1)
}

func (m *Matcher) popular(n int32) bool {
	return len(m.b) >= autojunkLength && int(m.count[n]) > len(m.b)/100+1
}

func (m *Matcher) number(r rune) int32 {
	if r < 128 {
		return m.ascii[r]
	}
	return m.other[r]
}

// Ratio is SequenceMatcher(None, a, b).ratio(): twice the matched code points over the code points of both texts, 1 for
// two empty ones.
func (m *Matcher) Ratio(a string) float64 {
	m.prepare()
	m.take(a)
	return ratio(m.matches(), len(m.a)+len(m.b))
}

// AtLeast reports whether Ratio(a) >= least. It is quick where the texts' lengths, or the characters that they have in
// common, already forbid it.
func (m *Matcher) AtLeast(a string, least float64) bool {
	// No more can match than the shorter text has, and no more than the texts have in common; the ratio grows with the
	// number of matches.
	n := utf8.RuneCountInString(a)
	length := n + m.length
	if ratio(min(n, m.length), length) < least {
		return false
	}
	m.prepare()
	m.take(a)
	if ratio(m.common(), length) < least {
		return false
	}
	return ratio(m.matches(), length) >= least
}

// Ratio compares two texts once.
func Ratio(a, b string) float64 { return NewMatcher(b).Ratio(a) }

func ratio(matches, length int) float64 {
	if length == 0 {
		return 1
	}
	return 2 * float64(matches) / float64(length)
}

func (m *Matcher) take(a string) {
	m.a, m.numbers = m.a[:0], m.numbers[:0]
	for _, r := range a {
		m.a = append(m.a, r)
		m.numbers = append(m.numbers, m.number(r))
	}
}

// common is the size of the multiset of code points that both texts have.
func (m *Matcher) common() int {
	clear(m.used)
	total := 0
	for _, n := range m.numbers {
		if n > 0 && m.used[n] < m.count[n] {
			m.used[n]++
			total++
		}
	}
	return total
}

// matches is the summed length of the matching blocks: the longest match, then the same on both of its sides.
func (m *Matcher) matches() int {
	total := 0
	m.todo = append(m.todo[:0], span{0, len(m.a), 0, len(m.b)})
	for len(m.todo) > 0 {
		s := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		i, j, size := m.longest(s)
		if size == 0 {
			continue
		}
		total += size
		if s.alo < i && s.blo < j {
			m.todo = append(m.todo, span{s.alo, i, s.blo, j})
		}
		if i+size < s.ahi && j+size < s.bhi {
			m.todo = append(m.todo, span{i + size, s.ahi, j + size, s.bhi})
		}
	}
	return total
}

// longest is SequenceMatcher.find_longest_match: of the longest matches the one that starts first in a, and of those
// the one that starts first in b, all this without the popular characters; then extended by whatever is equal around
// it, popular or not.
func (m *Matcher) longest(s span) (besti, bestj, size int) {
	besti, bestj = s.alo, s.blo
	runs, next := m.runs, m.next
	var before []int32 // positions with an entry in runs
	for i := s.alo; i < s.ahi; i++ {
		positions := m.positions(m.numbers[i], s.blo, s.bhi)
		for _, j := range positions {
			k := runs[j] + 1 // runs[j] belongs to position j-1
			next[j+1] = k
			if int(k) > size {
				besti, bestj, size = i-int(k)+1, int(j)-int(k)+1, int(k)
			}
		}
		for _, j := range before {
			runs[j+1] = 0
		}
		before = positions
		runs, next = next, runs
	}
	for _, j := range before {
		runs[j+1] = 0
	}
	for besti > s.alo && bestj > s.blo && m.a[besti-1] == m.b[bestj-1] {
		besti, bestj, size = besti-1, bestj-1, size+1
	}
	for besti+size < s.ahi && bestj+size < s.bhi && m.a[besti+size] == m.b[bestj+size] {
		size++
	}
	return besti, bestj, size
}

// positions are those of number n in b[lo:hi].
func (m *Matcher) positions(n int32, lo, hi int) []int32 {
	if n == 0 {
		return nil
	}
	p := m.where[m.start[n]:m.start[n+1]]
	if lo > 0 {
		from, _ := slices.BinarySearch(p, int32(lo))
		p = p[from:]
	}
	if hi < len(m.b) {
		to, _ := slices.BinarySearch(p, int32(hi))
		p = p[:to]
	}
	return p
}

package redact

// scanner finds the keywords of all rules in one pass, case folded: an
// Aho-Corasick automaton over the bytes that keywords are made of. Only where
// one stands is a rule's expression tried, anchored there, so the cost of a text
// without secrets is that of reading it.
type scanner struct {
	class  [256]uint8 // 0: in no keyword
	width  int
	next   []uint16 // next[state*width + class]
	hits   [][]hit  // by state
	hasHit []bool
}

type hit struct {
	rule int
	size int // length of the keyword
}

func fold(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

func newScanner(rules []rule) *scanner {
	s := &scanner{width: 1}
	for i := range rules {
		for _, k := range rules[i].keywords {
			for j := range len(k) {
				if b := fold(k[j]); s.class[b] == 0 {
					s.class[b] = uint8(s.width)
					s.width++
				}
			}
		}
	}
	for b := byte('A'); b <= 'Z'; b++ {
		s.class[b] = s.class[fold(b)]
	}
	s.grow()
	for i := range rules {
		for _, k := range rules[i].keywords {
			state := 0
			for j := range len(k) {
				at := state*s.width + int(s.class[k[j]])
				if s.next[at] == 0 {
					s.next[at] = uint16(s.grow())
				}
				state = int(s.next[at])
			}
			s.hits[state] = append(s.hits[state], hit{i, len(k)})
		}
	}
	s.link()
	return s
}

// grow adds a state.
func (s *scanner) grow() int {
	s.next = append(s.next, make([]uint16, s.width)...)
	s.hits = append(s.hits, nil)
	return len(s.hits) - 1
}

// link turns the trie into an automaton, breadth first: a missing step takes
// that of the longest proper suffix.
func (s *scanner) link() {
	fail := make([]uint16, len(s.hits))
	var queue []int
	for c := range s.width {
		if n := s.next[c]; n != 0 {
			queue = append(queue, int(n))
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		f := int(fail[state])
		s.hits[state] = append(s.hits[state], s.hits[f]...)
		for c := range s.width {
			at := state*s.width + c
			if n := s.next[at]; n != 0 {
				fail[n] = s.next[f*s.width+c]
				queue = append(queue, int(n))
			} else {
				s.next[at] = s.next[f*s.width+c]
			}
		}
	}
	s.hasHit = make([]bool, len(s.hits))
	for i := range s.hits {
		s.hasHit[i] = len(s.hits[i]) > 0
	}
}

// scan calls found for each keyword of each rule in text.
func (s *scanner) scan(text string, found func(rule, start, end int)) {
	state := 0
	for i := range len(text) {
		state = int(s.next[state*s.width+int(s.class[text[i]])])
		if s.hasHit[state] {
			for _, h := range s.hits[state] {
				found(h.rule, i+1-h.size, i+1)
			}
		}
	}
}

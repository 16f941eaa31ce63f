package transformer

import (
	"fmt"
	"slices"
)

// Sequence is tokens to take through a model.
type Sequence struct {
	Tokens []int32
	Want   []bool // of every token but the last: the one after it is to be predicted; more are ignored
}

// seen is the tokens that decide anything: what follows the last wanted position is seen by none that are wanted.
func (s *Sequence) seen() []int32 {
	n := len(s.Tokens) - 1
	for n > 0 && !s.Want[n-1] {
		n--
	}
	return s.Tokens[:n]
}

func (s *Sequence) check(c *Config) {
	if len(s.Tokens) == 0 || len(s.Tokens) > c.Context {
		panic(fmt.Sprintf("transformer: a sequence of %d tokens does not fit a context of %d", len(s.Tokens), c.Context))
	}
	if len(s.Want) < len(s.Tokens)-1 {
		panic(fmt.Sprintf("transformer: %d tokens and only %d wants", len(s.Tokens), len(s.Want)))
	}
	for i, t := range s.Tokens {
		if t < 0 || int(t) >= c.Vocab {
			panic(fmt.Sprintf("transformer: token %d at %d is not of the vocabulary of %d", t, i, c.Vocab))
		}
	}
}

// Bundles deals sequences, by their indices, to bundles that [Pass.Forward] takes: those that begin alike together, and no
// more rows in one than most, which bounds a pass's memory; a longer sequence is a bundle of its own.
func Bundles(sequences []Sequence, most int) [][]int {
	var out [][]int
	var before []int32
	rows := 0
	for _, i := range alphabetical(nil, sequences) {
		tokens := sequences[i].seen()
		more := len(tokens) - shared(before, tokens)
		if before = tokens; len(out) == 0 || rows+more > most {
			out = append(out, nil)
			rows, more = 0, len(tokens)
		}
		rows += more
		out[len(out)-1] = append(out[len(out)-1], i)
	}
	return out
}

// alphabetical is the order in which sequences that begin alike are neighbours.
func alphabetical(order []int, sequences []Sequence) []int {
	order = order[:0]
	for i := range sequences {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(sequences[a].seen(), sequences[b].seen()) })
	return order
}

// shared is how many tokens two sequences begin with alike.
func shared(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// layout lays sequences in rows so that what several begin with is there once: a tree of prefixes, depth first. Each row
// sees the rows of its own sequence before it, so values and gradients are those of the sequences one by one (the tree of
// a group's rollouts: arXiv:2511.00413).
type layout struct {
	tokens      []int32  // of every row
	at          []int32  // its position, from 0
	branches    []branch // in the order of their rows
	spans       []span   // of all branches
	longest     int      // positions of the longest sequence
	wanted      []int32  // rows whose prediction is wanted
	predictions []prediction
	order       []int
	place       []int32 // of every row: where it stands in wanted, or -1
}

// branch is rows of which each follows the one before, and where all that they see lies: in spans from first to last,
// the branch itself at the end.
type branch struct {
	row, n      int
	first, last int
}

// span is rows that lie one after the other.
type span struct{ row, n int }

// prediction is a token that a sequence has after a row; sequences that part there have several.
type prediction struct {
	wanted   int // index
	token    int32
	sequence int
	i        int // position in the sequence of the row
}

// lay makes the layout of sequences.
func (l *layout) lay(sequences []Sequence) {
	l.tokens, l.at, l.branches, l.spans, l.longest = l.tokens[:0], l.at[:0], l.branches[:0], l.spans[:0], 0
	l.wanted, l.predictions, l.place = l.wanted[:0], l.predictions[:0], l.place[:0]
	l.order = alphabetical(l.order, sequences)
	var before []int32
	first := 0 // where the spans of the sequence before begin
	for _, k := range l.order {
		tokens := sequences[k].seen()
		from, known := len(l.spans), shared(before, tokens)
		for left := known; left > 0; first++ {
			s := l.spans[first]
			s.n = min(s.n, left)
			l.spans = append(l.spans, s)
			left -= s.n
		}
		if row, n := len(l.tokens), len(tokens)-known; n > 0 {
			l.extend(from, row, n)
			l.tokens = append(l.tokens, tokens[known:]...)
			for i := known; i < len(tokens); i++ {
				l.at, l.place = append(l.at, int32(i)), append(l.place, -1)
			}
			l.branches = append(l.branches, branch{row: row, n: n, first: from, last: len(l.spans)})
		}
		l.want(k, sequences[k], l.spans[from:])
		before, first, l.longest = tokens, from, max(l.longest, len(tokens))
	}
}

// extend adds rows to the spans from the given one on.
func (l *layout) extend(from, row, n int) {
	if end := len(l.spans) - 1; end >= from && l.spans[end].row+l.spans[end].n == row {
		l.spans[end].n += n
		return
	}
	l.spans = append(l.spans, span{row, n})
}

// want adds what is wanted of sequence k, whose rows lie in the spans.
func (l *layout) want(k int, s Sequence, spans []span) {
	i := 0
	for _, sp := range spans {
		for row := sp.row; row < sp.row+sp.n; row++ {
			if s.Want[i] {
				if l.place[row] < 0 {
					l.place[row] = int32(len(l.wanted))
					l.wanted = append(l.wanted, int32(row))
				}
				l.predictions = append(l.predictions, prediction{wanted: int(l.place[row]), token: s.Tokens[i+1], sequence: k, i: i})
			}
			i++
		}
	}
}

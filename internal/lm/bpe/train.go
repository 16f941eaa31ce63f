package bpe

import (
	"cmp"
	"container/heap"
	"fmt"
	"maps"
	"slices"
)

// Train learns a vocabulary of at most vocab tokens from texts: 256 bytes, then the pairs that stand beside each other most
// often, merged one after the other, then the special tokens. Of pairs that are equally frequent the one of earlier tokens
// is merged first. A pair that occurs once is not learnt, so few texts give a smaller vocabulary: see [Tokenizer.Vocab].
func Train(texts []string, vocab int, special []string) (*Tokenizer, error) {
	if least := 256 + len(special); vocab < least || vocab > maxVocab {
		return nil, fmt.Errorf("a vocabulary of %d tokens: %d (every byte and the special tokens) to %d are possible", vocab, least, maxVocab)
	}
	t := empty()
	c := count(texts)
	for len(t.texts)+len(special) < vocab {
		p, ok := c.most()
		if !ok {
			break
		}
		c.merge(p, t.learn(p))
	}
	if err := t.finish(special); err != nil {
		return nil, err
	}
	return t, nil
}

// piece is a distinct piece of the texts, as tokens so far, and how often it occurs.
type piece struct {
	ids []int32
	n   int
}

// counts says how often pairs stand beside each other in the pieces, and is kept up to date as they are merged.
type counts struct {
	pieces []piece
	n      map[pair]int
	where  map[pair][]int32 // pieces that hold, or held, the pair
	queue  candidates       // has every pair with its present count, and some with counts of the past
}

func count(texts []string) *counts {
	seen := map[string]int{}
	for _, text := range texts {
		for len(text) > 0 {
			n := next(text)
			seen[text[:n]]++
			text = text[n:]
		}
	}
	c := &counts{n: map[pair]int{}, where: map[pair][]int32{}}
	for _, text := range slices.Sorted(maps.Keys(seen)) {
		ids := make([]int32, len(text))
		for i := range len(text) {
			ids[i] = int32(text[i])
		}
		c.pieces = append(c.pieces, piece{ids, seen[text]})
		c.tally(int32(len(c.pieces)-1), 1, nil)
	}
	for p, n := range c.n {
		c.queue = append(c.queue, candidate{p, n})
	}
	heap.Init(&c.queue)
	return c
}

// tally counts the pairs of a piece, or with sign -1 takes them away. Pairs whose count changes are noted in touched.
func (c *counts) tally(at int32, sign int, touched map[pair]bool) {
	w := c.pieces[at]
	for i := range len(w.ids) - 1 {
		p := pair{w.ids[i], w.ids[i+1]}
		c.n[p] += sign * w.n
		if touched != nil {
			touched[p] = true
		}
		if in := c.where[p]; sign > 0 && (len(in) == 0 || in[len(in)-1] != at) {
			c.where[p] = append(in, at)
		}
	}
}

// most is the most frequent pair that occurs twice or more.
func (c *counts) most() (pair, bool) {
	for len(c.queue) > 0 {
		top := heap.Pop(&c.queue).(candidate)
		if c.n[top.pair] == top.n { // else a later entry has its present count
			return top.pair, top.n >= 2
		}
	}
	return pair{}, false
}

// merge puts token in the place of the pair in every piece.
func (c *counts) merge(p pair, token int32) {
	touched := map[pair]bool{}
	for _, at := range c.where[p] {
		w := &c.pieces[at]
		if !holds(w.ids, p) {
			continue // merged otherwise since
		}
		c.tally(at, -1, touched)
		kept := w.ids[:0]
		for i := 0; i < len(w.ids); i++ {
			if i+1 < len(w.ids) && w.ids[i] == p.left && w.ids[i+1] == p.right {
				kept = append(kept, token)
				i++
			} else {
				kept = append(kept, w.ids[i])
			}
		}
		w.ids = kept
		c.tally(at, 1, touched)
	}
	delete(c.where, p)
	delete(touched, p)
	delete(c.n, p)
	for p := range touched {
		if n := c.n[p]; n > 0 {
			heap.Push(&c.queue, candidate{p, n})
		} else {
			delete(c.n, p)
			delete(c.where, p)
		}
	}
}

func holds(ids []int32, p pair) bool {
	for i := range len(ids) - 1 {
		if ids[i] == p.left && ids[i+1] == p.right {
			return true
		}
	}
	return false
}

// candidate is a pair and how often it occurred when it was queued.
type candidate struct {
	pair
	n int
}

// candidates is a heap: the most frequent pair first, of equals the one of earlier tokens.
type candidates []candidate

func (q candidates) Len() int      { return len(q) }
func (q candidates) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *candidates) Push(x any)   { *q = append(*q, x.(candidate)) }
func (q candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].n, q[i].n), cmp.Compare(q[i].left, q[j].left), cmp.Compare(q[i].right, q[j].right)) < 0
}

func (q *candidates) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

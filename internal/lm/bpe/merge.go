package bpe

import (
	"container/heap"
	"slices"
)

// manyBytes is the length of a piece from which on its pairs are kept in a heap. A shorter one is merged faster by looking at all.
const manyBytes = 64

// encodePiece merges a piece's bytes: the pair that was learnt first, the leftmost of equals, until no pair is known.
func (t *Tokenizer) encodePiece(piece string) []int32 {
	ids := make([]int32, 0, len(piece))
	for i := range len(piece) {
		if id := t.bytes[piece[i]]; id >= 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) >= manyBytes {
		return t.mergeMany(ids)
	}
	return t.mergeFew(ids)
}

// none is the rank of a pair that is not merged.
const none = int32(1<<31 - 1)

func (t *Tokenizer) ruleOf(left, right int32) merge {
	if m, ok := t.rules[pair{left, right}]; ok {
		return m
	}
	return merge{rank: none}
}

// mergeFew takes time that grows with the square of the length.
func (t *Tokenizer) mergeFew(ids []int32) []int32 {
	var room [manyBytes]merge
	rules := room[:0] // of each token and the next
	for i := 1; i < len(ids); i++ {
		rules = append(rules, t.ruleOf(ids[i-1], ids[i]))
	}
	for {
		at, rank := -1, none
		for i := range rules {
			if rules[i].rank < rank {
				at, rank = i, rules[i].rank
			}
		}
		if at < 0 {
			return slices.Clip(ids)
		}
		ids[at] = rules[at].token
		ids, rules = slices.Delete(ids, at+1, at+2), slices.Delete(rules, at, at+1)
		if at > 0 {
			rules[at-1] = t.ruleOf(ids[at-1], ids[at])
		}
		if at < len(rules) {
			rules[at] = t.ruleOf(ids[at], ids[at+1])
		}
	}
}

// mergeMany takes time that grows little faster than the length.
func (t *Tokenizer) mergeMany(ids []int32) []int32 {
	// Tokens are a chain: before and after say where in ids the neighbours are. A token that was merged into the one before it is
	// -1.
	n := len(ids)
	before, after := make([]int32, n), make([]int32, n)
	for i := range ids {
		before[i], after[i] = int32(i-1), int32(i+1)
	}
	var q possible
	offer := func(left int32) {
		if right := after[left]; int(right) < n {
			if m := t.ruleOf(ids[left], ids[right]); m.rank != none {
				heap.Push(&q, possibleMerge{m, left, ids[left], ids[right]})
			}
		}
	}
	for i := range n {
		offer(int32(i))
	}
	for len(q) > 0 {
		m := heap.Pop(&q).(possibleMerge)
		right := after[m.at]
		if ids[m.at] != m.left || int(right) >= n || ids[right] != m.right {
			continue // one of the two has been merged since
		}
		ids[m.at], ids[right] = m.token, -1
		if after[m.at] = after[right]; int(after[m.at]) < n {
			before[after[m.at]] = m.at
		}
		offer(m.at)
		if before[m.at] >= 0 {
			offer(before[m.at])
		}
	}
	return slices.Clip(slices.DeleteFunc(ids, func(id int32) bool { return id < 0 }))
}

// possibleMerge is two tokens that stood beside each other when it was noted.
type possibleMerge struct {
	merge
	at, left, right int32
}

// possible is a heap: the pair that was learnt first before others, of equals the leftmost.
type possible []possibleMerge

func (q possible) Len() int      { return len(q) }
func (q possible) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *possible) Push(x any)   { *q = append(*q, x.(possibleMerge)) }
func (q possible) Less(i, j int) bool {
	return q[i].rank < q[j].rank || q[i].rank == q[j].rank && q[i].at < q[j].at
}

func (q *possible) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

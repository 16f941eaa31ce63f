package bpe

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// maxVocab bounds a vocabulary: far above what this package is for, far below what hurts.
const maxVocab = 1 << 20

// pair is two tokens that stand beside each other.
type pair struct{ left, right int32 }

// merge is what becomes of a pair: the token, and when it was learnt. Lower ranks are merged first.
type merge struct{ rank, token int32 }

// Tokenizer encodes and decodes. It is safe for concurrent use and is never copied.
type Tokenizer struct {
	merges []pair         // in the order they were learnt
	rules  map[pair]merge // the same, to look up
	texts  []string       // of every token that is not special
	byText map[string]int32
	names  []string // of the special tokens, the last ones of the vocabulary

	mu    sync.RWMutex
	cache map[string][]int32 // encodings of pieces that were met; bounded by maxCached
}

// maxCached bounds the pieces that a tokenizer remembers.
const maxCached = 1 << 16

// empty is a tokenizer of bytes alone.
func empty() *Tokenizer {
	t := &Tokenizer{
		rules:  map[pair]merge{},
		byText: map[string]int32{},
		cache:  map[string][]int32{},
	}
	for b := range 256 {
		t.add(string([]byte{byte(b)}))
	}
	return t
}

func (t *Tokenizer) add(text string) int32 {
	id := int32(len(t.texts))
	t.texts = append(t.texts, text)
	t.byText[text] = id
	return id
}

// learn makes p one token. Where another pair gave the same text already it is that token, and a pair that comes back,
// because one of its tokens came about in a second way, keeps its rank.
func (t *Tokenizer) learn(p pair) int32 {
	if m, ok := t.rules[p]; ok {
		return m.token
	}
	text := t.texts[p.left] + t.texts[p.right]
	id, ok := t.byText[text]
	if !ok {
		id = t.add(text)
	}
	t.rules[p] = merge{int32(len(t.merges)), id}
	t.merges = append(t.merges, p)
	return id
}

// finish puts the special tokens at the end.
func (t *Tokenizer) finish(special []string) error {
	written := make(map[string]bool, len(t.texts)) // tokenizer.json has one table for all tokens
	for _, text := range t.texts {
		written[fromBytes(text)] = true
	}
	for i, name := range special {
		switch {
		case name == "":
			return fmt.Errorf("special token %d has no name", i)
		case slices.Contains(special[:i], name):
			return fmt.Errorf("two special tokens are called %q", name)
		case written[name]:
			return fmt.Errorf("special token %q has the name of an ordinary one", name)
		}
	}
	t.names = slices.Clone(special)
	return nil
}

// Vocab is the number of tokens, special ones included: tokens are 0 to Vocab()-1.
func (t *Tokenizer) Vocab() int { return len(t.texts) + len(t.names) }

// Special is the token of a special name, such as <|end|>.
func (t *Tokenizer) Special(name string) (int32, bool) {
	i := slices.Index(t.names, name)
	return int32(len(t.texts) + i), i >= 0
}

// Specials are the names of the special tokens, in the order of the vocabulary.
func (t *Tokenizer) Specials() []string { return slices.Clone(t.names) }

// Encode gives a text's tokens, none of them special: a text that spells <|end|> is encoded letter by letter.
func (t *Tokenizer) Encode(text string) []int32 {
	out := make([]int32, 0, len(text)/3+1)
	t.mu.RLock()
	for len(text) > 0 {
		n := next(text)
		ids, ok := t.cache[text[:n]]
		if !ok { // rare: a piece is met many times
			t.mu.RUnlock()
			ids = t.encodePiece(text[:n])
			t.remember(text[:n], ids)
			t.mu.RLock()
		}
		out = append(out, ids...)
		text = text[n:]
	}
	t.mu.RUnlock()
	return out
}

func (t *Tokenizer) remember(piece string, ids []int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.cache) < maxCached {
		t.cache[strings.Clone(piece)] = ids // a clone: the text that it is cut from need not stay
	}
}

// encodePiece merges a piece's bytes: the pair that was learnt first, the leftmost of equals, until no pair is known.
func (t *Tokenizer) encodePiece(piece string) []int32 {
	ids := make([]int32, len(piece))
	for i := range len(piece) {
		ids[i] = int32(piece[i])
	}
	for len(ids) > 1 {
		at, best := -1, merge{}
		for i := range len(ids) - 1 {
			if m, ok := t.rules[pair{ids[i], ids[i+1]}]; ok && (at < 0 || m.rank < best.rank) {
				at, best = i, m
			}
		}
		if at < 0 {
			break
		}
		ids[at] = best.token
		ids = slices.Delete(ids, at+1, at+2)
	}
	return slices.Clip(ids)
}

// Decode is the text that tokens spell. A special token is spelt by its name, one that the vocabulary lacks as U+FFFD:
// nothing that a model wrote vanishes from what is read.
func (t *Tokenizer) Decode(ids []int32) string {
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(t.Text(id))
	}
	return b.String()
}

// Text is what one token spells (see [Tokenizer.Decode]). It may be a part of a character.
func (t *Tokenizer) Text(id int32) string {
	switch i := int(id) - len(t.texts); {
	case id < 0 || i >= len(t.names):
		return "\uFFFD"
	case i >= 0:
		return t.names[i]
	}
	return t.texts[id]
}

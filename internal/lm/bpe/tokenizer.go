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
	scheme  *scheme
	merges  []pair         // in the order they were learnt
	rules   map[pair]merge // the same, to look up
	texts   []string       // what every token spells, a special one its name
	bytes   [256]int32     // the token of each byte, or -1
	byText  map[string]int32
	special map[string]int32 // by their names: no text encodes to them
	names   []string         // the same, in the order of the vocabulary

	mu    sync.RWMutex
	cache map[string][]int32 // encodings of pieces that were met; bounded by maxCached and maxCachedPiece
}

// maxCached bounds the pieces that a tokenizer remembers, and maxCachedPiece their bytes.
const (
	maxCached      = 1 << 16
	maxCachedPiece = maxPiece
)

// empty is a tokenizer of ours, of bytes alone.
func empty() *Tokenizer {
	t := bare(schemes[0])
	for b := range 256 {
		t.bytes[b] = t.add(string([]byte{byte(b)}))
	}
	return t
}

// bare is a tokenizer without tokens.
func bare(s *scheme) *Tokenizer {
	return &Tokenizer{
		scheme:  s,
		rules:   map[pair]merge{},
		byText:  map[string]int32{},
		special: map[string]int32{},
		cache:   map[string][]int32{},
	}
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
	for _, name := range special {
		t.control(t.add(name))
	}
	return nil
}

// control makes a token special.
func (t *Tokenizer) control(id int32) {
	t.special[t.texts[id]] = id
	t.names = append(t.names, t.texts[id])
}

func (t *Tokenizer) isSpecial(id int32) bool {
	special, ok := t.special[t.texts[id]]
	return ok && special == id
}

// Vocab is the number of tokens, special ones included: tokens are 0 to Vocab()-1.
func (t *Tokenizer) Vocab() int { return len(t.texts) }

// Pretrained says that the tokenizer is not one of ours.
func (t *Tokenizer) Pretrained() bool { return t.scheme != schemes[0] }

// Special is the token of a special name, such as <|end|>.
func (t *Tokenizer) Special(name string) (int32, bool) {
	id, ok := t.special[name]
	return id, ok
}

// Specials are the names of the special tokens, in the order of the vocabulary.
func (t *Tokenizer) Specials() []string { return slices.Clone(t.names) }

// Encode gives a text's tokens, none of them special: a text that spells <|end|> is encoded letter by letter. Bytes that are not
// UTF-8 are encoded like others; a byte that the vocabulary lacks is left out, as in the tokenizers library (SmolLM2's lacks 21,
// six of them control characters, the others in no text or of planes that are not assigned).
func (t *Tokenizer) Encode(text string) []int32 {
	if t.scheme.compose {
		text = composed(text)
	}
	out := make([]int32, 0, len(text)/3+1)
	t.mu.RLock()
	for len(text) > 0 {
		n := t.scheme.next(text)
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

// EncodeMarked is [Tokenizer.Encode] of a text in which the names of special tokens stand for these tokens. It is for texts that
// we have made, and never for one of a user, a repository or a model.
func (t *Tokenizer) EncodeMarked(text string) []int32 {
	var out []int32
	for len(text) > 0 {
		at, name := len(text), ""
		for _, n := range t.names { // the first; of two at one place the longer
			if i := strings.Index(text[:min(len(text), at+len(n))], n); i >= 0 && (i < at || i == at && len(n) > len(name)) {
				at, name = i, n
			}
		}
		out = append(out, t.Encode(text[:at])...)
		if name != "" {
			out = append(out, t.special[name])
		}
		text = text[at+len(name):]
	}
	return out
}

func (t *Tokenizer) remember(piece string, ids []int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(piece) <= maxCachedPiece && len(t.cache) < maxCached {
		t.cache[strings.Clone(piece)] = ids // a clone: the text that it is cut from need not stay
	}
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
	if id < 0 || int(id) >= len(t.texts) {
		return "\uFFFD"
	}
	return t.texts[id]
}

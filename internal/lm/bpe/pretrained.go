package bpe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Vocabulary is a tokenizer as a GGUF file holds it.
type Vocabulary struct {
	Pre     string   // how texts become pieces (tokenizer.ggml.pre)
	Tokens  []string // in the order of the vocabulary, ordinary ones in the byte-level alphabet
	Special []bool   // which of them no text encodes to
	Merges  []string // pairs of tokens with a space between them, in the order they were learnt
}

// NewTokenizer makes the tokenizer of a vocabulary.
func NewTokenizer(v Vocabulary) (*Tokenizer, error) {
	i := slices.IndexFunc(schemes, func(s *scheme) bool { return slices.Contains(s.ggml, v.Pre) })
	if i < 0 {
		return nil, fmt.Errorf("texts are cut into pieces in the way of %q, which is not supported", v.Pre)
	}
	merges := make([]merged, len(v.Merges))
	for i, both := range v.Merges {
		var ok bool
		if merges[i][0], merges[i][1], ok = strings.Cut(both, " "); !ok {
			return nil, fmt.Errorf("merge %q is not of two tokens", both)
		}
	}
	if len(v.Special) != len(v.Tokens) {
		return nil, fmt.Errorf("%d tokens have %d types", len(v.Tokens), len(v.Special))
	}
	return pretrained(schemes[i], v.Tokens, v.Special, merges)
}

// parsePretrained reads the file of a tokenizer of others.
func parsePretrained(f file, s *scheme) (*Tokenizer, error) {
	m := f.Model.settings()
	for _, part := range []struct {
		ok   bool
		what string
	}{
		{equal(m.Dropout, nil), "drops merges at random"},
		{equal(m.UnkToken, nil), "has a token for what is unknown"},
		{m.ContinuingSubwordPrefix == nil || *m.ContinuingSubwordPrefix == "", "marks what continues a word"},
		{m.EndOfWordSuffix == nil || *m.EndOfWordSuffix == "", "marks the ends of words"},
		{!m.FuseUnk && !m.ByteFallback, "has another way with what is unknown"},
		{!m.IgnoreMerges, "takes whole words without their merges"},
		{f.Decoder.Type == "ByteLevel", "is put together again otherwise than from bytes"},
	} {
		if !part.ok {
			return nil, errors.New("the model " + part.what + ", which is not supported")
		}
	}
	if err := f.addsTokens(); err != nil {
		return nil, err
	}
	byID := make(map[int32]string, len(f.Model.Vocab)+len(f.Added))
	for token, id := range f.Model.Vocab {
		if other, taken := byID[id]; taken {
			return nil, fmt.Errorf("tokens %q and %q are both number %d", min(token, other), max(token, other), id)
		}
		byID[id] = token
	}
	special := map[int32]bool{}
	for _, a := range f.Added {
		if other, taken := byID[a.ID]; taken && other != a.Content {
			return nil, fmt.Errorf("tokens %q and %q are both number %d", other, a.Content, a.ID)
		}
		if a.SingleWord || a.LStrip || a.RStrip {
			return nil, fmt.Errorf("special token %q takes what stands around it, which is not supported", a.Content)
		}
		byID[a.ID], special[a.ID] = a.Content, true
	}
	tokens, kinds := make([]string, len(byID)), make([]bool, len(byID))
	for id := range tokens {
		token, ok := byID[int32(id)]
		if !ok {
			return nil, fmt.Errorf("the vocabulary has %d tokens and none of number %d", len(tokens), id)
		}
		tokens[id], kinds[id] = token, special[int32(id)]
	}
	return pretrained(s, tokens, kinds, f.Model.Merges)
}

func pretrained(s *scheme, tokens []string, special []bool, merges []merged) (*Tokenizer, error) {
	if len(tokens) > maxVocab || len(merges) > maxVocab {
		return nil, fmt.Errorf("%d tokens and %d merges are more than %d", len(tokens), len(merges), maxVocab)
	}
	t := bare(s)
	t.merges = make([]pair, 0, len(merges))
	for b := range t.bytes {
		t.bytes[b] = -1
	}
	byName := make(map[string]int32, len(tokens))
	for id, token := range tokens {
		if other, taken := byName[token]; taken {
			return nil, fmt.Errorf("token %q is number %d and number %d", token, other, id)
		}
		byName[token] = int32(id)
		text, ok := token, token != ""
		if !special[id] {
			text, ok = toBytes(token)
		}
		if !ok || text == "" {
			return nil, fmt.Errorf("token %d, %q, is not written in the alphabet of bytes", id, token)
		}
		t.texts = append(t.texts, text)
		switch {
		case special[id]:
			t.control(int32(id))
		case len(text) == 1:
			t.bytes[text[0]] = int32(id)
		}
	}
	for i, m := range merges {
		left, ok := byName[m[0]]
		right, ok2 := byName[m[1]]
		both, ok3 := byName[m[0]+m[1]]
		switch {
		case !ok || !ok2 || !ok3:
			return nil, fmt.Errorf("merge %d, %q and %q: one of them, or what they make, is no token", i, m[0], m[1])
		case special[left] || special[right] || special[both]:
			return nil, fmt.Errorf("merge %d, %q and %q: one of them, or what they make, is a special token", i, m[0], m[1])
		}
		p := pair{left, right}
		if _, again := t.rules[p]; again {
			return nil, fmt.Errorf("merge %d, %q and %q, is there twice", i, m[0], m[1])
		}
		t.rules[p] = merge{int32(i), both}
		t.merges = append(t.merges, p)
	}
	return t, nil
}

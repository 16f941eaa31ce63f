package alike

import (
	"math"
	"strings"
)

type token struct {
	kind kind
	text string
}

// makeKeys gives tokens that most pieces hold a key of their own, be it without the names that are their files' own; other
// names, numbers and words share one a kind.
func (g *group) makeKeys() {
	count, bare := map[token]int{}, map[token]int{}
	pieces := 0
	for i := range g.pieces {
		seen, seenBare := map[token]bool{}, map[token]bool{}
		for _, t := range g.pieces[i].Tokens {
			if k := (token{t.kind, t.Text}); !seen[k] {
				seen[k] = true
				count[k]++
			}
			if k := (token{t.kind, t.bare}); !seenBare[k] {
				seenBare[k] = true
				bare[k]++
			}
		}
		pieces += min(len(g.pieces[i].Tokens), 1)
	}
	least := max(2, int(math.Ceil(0.6*float64(pieces))))
	ids := map[token]int32{}
	g.keys = make([][]int32, len(g.pieces))
	for i := range g.pieces {
		keys := make([]int32, len(g.pieces[i].Tokens))
		for j, t := range g.pieces[i].Tokens {
			k := token{t.kind, t.Text}
			if t.kind != sign && t.kind != keyword && count[k] < least {
				if k.text = t.bare; bare[k] < least {
					k.text = ""
				}
			}
			id, ok := ids[k]
			if !ok {
				id = int32(len(ids))
				if k.text == "" {
					id = -1 - int32(k.kind)
				}
				ids[k] = id
			}
			keys[j] = id
		}
		g.keys[i] = keys
	}
}

// reference is the piece that the others are aligned with first: one of those that are most often the same.
func (g *group) reference() int {
	type same struct{ n, first int }
	byText := map[string]*same{}
	best := &same{0, 0}
	for i, keys := range g.keys {
		if len(keys) == 0 {
			continue
		}
		var b strings.Builder
		for _, k := range keys {
			b.WriteByte(byte(k))
			b.WriteByte(byte(k >> 8))
		}
		s := byText[b.String()]
		if s == nil {
			s = &same{0, i}
			byText[b.String()] = s
		}
		if s.n++; s.n > best.n {
			best = s
		}
	}
	if best.n > 1 {
		return best.first
	}
	signatures := make([]signature, len(g.pieces))
	for i := range g.pieces {
		signatures[i] = sign4(g.pieces[i].Tokens)
	}
	most, at := -1.0, 0
	for i := range signatures {
		if len(g.keys[i]) == 0 {
			continue
		}
		sum := 0.0
		for j := 0; j < len(signatures); j += 1 + len(signatures)/20 {
			sum += similar(&signatures[i], &signatures[j])
		}
		if sum > most {
			most, at = sum, i
		}
	}
	return at
}

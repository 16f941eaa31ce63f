package alike

import (
	"math"
	"strings"
)

// busy are the other members that differ near a difference.
func (g *group) busy(h hunk) map[int]bool {
	members := map[int]bool{}
	for _, o := range g.hunks {
		if o.member != h.member && o.from <= h.to+around && h.from-around <= o.to && (o.from > h.to || o.to < h.from) {
			members[o.member] = true
		}
	}
	return members
}

func strength(agree, of int) float64 {
	share := float64(agree) / float64(of-1)
	return share * share * share * share * math.Log2(float64(agree)+1)
}

// quiet is less the more a member, and the members on the whole, differ: then a difference says little.
func (g *group) quiet(member int) float64 {
	others := float64(len(g.hunks)-len(g.own[member])) / float64(g.k-1)
	return 1 / (1 + 0.5*float64(max(len(g.own[member])-1, 0))) / (1 + others)
}

// weight is how much the tokens of a difference can mean: operators and statements much, lists and texts little.
func (g *group) weight(h hunk) float64 {
	telling, words := 0, 0
	look := func(t Token, k kind) {
		switch {
		case k == keyword || k == sign && !strings.Contains(",;\"", t.Text):
			telling++
		case k == word || k == number:
			words++
		}
	}
	for p := h.from; p < h.to; p++ {
		look(g.tokens[p], g.tokens[p].kind)
	}
	for _, t := range g.pieces[h.member].Tokens[h.low:h.high] {
		look(t, t.kind)
	}
	w := 1 / (1 + float64(max(h.to-h.from, h.high-h.low))/40)
	switch {
	case telling > 0:
		return w
	case words > 0:
		return 0.4 * w
	}
	return 0.2 * w
}

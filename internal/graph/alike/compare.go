package alike

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Departure is a place where one piece of a group differs from what most of the others say.
type Departure struct {
	Piece         int // its index in the group
	Line, EndLine int
	Has, Usual    string // its tokens, and those of most others; one of them may be ""
	Agree, Of     int    // so many of so many pieces say the usual
	Score         float64
}

// What a departure needs: so large a share of the pieces must agree against it.
const (
	leastAgree  = 0.6
	maxEdits    = 1500
	maxShown    = 30 // tokens of a side that are shown
	mostBetween = 8  // lines between the neighbours of what is missing: comments
	joined      = 1  // tokens that stand between differences which are one
	around      = 10 // tokens before and behind a difference where those of others make it mean less
)

// group is the pieces that are compared, as keys: equal keys stand for tokens that count as equal.
type group struct {
	pieces []Piece
	keys   [][]int32
	usual  []int32   // what most say, as keys
	tokens []Token   // of usual
	at     [][]int32 // at[m][j] is the place in usual of member m's token j, -1 for none; nil for a member that is too different
	k      int       // members that are not
}

// hunk is a place where a member differs: usual[from:to] stands as its tokens [low:high].
type hunk struct{ member, from, to, low, high int }

// Compare says where each piece departs from the majority, the strongest departures first.
func Compare(pieces []Piece) []Departure {
	g := &group{pieces: pieces}
	g.makeKeys()
	if !g.align(g.reference()) || !g.settle() {
		return nil
	}
	hunks := g.hunks()
	list := g.judge(hunks)
	list = append(list, g.renamed(hunks)...)
	slices.SortStableFunc(list, func(a, b Departure) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Line, b.Line))
	})
	return list
}

type token struct {
	kind kind
	text string
}

// makeKeys gives tokens that most pieces hold a key of their own; other names, numbers and words share one a kind.
func (g *group) makeKeys() {
	count := map[token]int{}
	for i := range g.pieces {
		seen := map[token]bool{}
		for _, t := range g.pieces[i].Tokens {
			if k := (token{t.kind, t.Text}); !seen[k] {
				seen[k] = true
				count[k]++
			}
		}
	}
	least := max(2, int(math.Ceil(0.6*float64(len(g.pieces)))))
	ids := map[token]int32{}
	g.keys = make([][]int32, len(g.pieces))
	for i := range g.pieces {
		keys := make([]int32, len(g.pieces[i].Tokens))
		for j, t := range g.pieces[i].Tokens {
			k := token{t.kind, t.Text}
			if t.kind != sign && t.kind != keyword && count[k] < least {
				k.text = ""
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

// align takes a piece for what is usual and aligns all with it.
func (g *group) align(ref int) bool {
	g.usual = g.keys[ref]
	g.tokens = g.pieces[ref].Tokens
	return g.alignAll()
}

func (g *group) alignAll() bool {
	g.at, g.k = make([][]int32, len(g.keys)), 0
	for m, keys := range g.keys {
		most := min(maxEdits, (len(g.usual)+len(keys))*2/5+4)
		if at, ok := diff(g.usual, keys, most); ok && len(keys) > 0 {
			g.at[m] = at
			g.k++
		}
	}
	return g.k >= 3
}

// settle turns what is usual from what one piece says into what most say.
func (g *group) settle() bool {
	n := len(g.usual)
	held := make([]int, n)
	type insertion struct {
		gap  int
		text string
	}
	count := map[insertion]int{}
	example := map[insertion][2]int{}
	for m, at := range g.at {
		gap := 0
		for j := 0; j < len(at); {
			if at[j] >= 0 {
				held[at[j]]++
				gap = int(at[j]) + 1
				j++
				continue
			}
			from := j
			var b strings.Builder
			for ; j < len(at) && at[j] < 0; j++ {
				k := g.keys[m][j]
				b.WriteString(string([]byte{byte(k), byte(k >> 8), byte(k >> 16)}))
			}
			key := insertion{gap, b.String()}
			if count[key]++; count[key] == 1 {
				example[key] = [2]int{m, from}
			}
		}
	}
	inserted := map[int]insertion{}
	for key, c := range count {
		if 2*c > g.k {
			inserted[key.gap] = key
		}
	}
	changed := len(inserted) > 0
	var usual []int32
	var tokens []Token
	for p := 0; p <= n; p++ {
		if key, ok := inserted[p]; ok {
			m, from := example[key][0], example[key][1]
			for j := from; j < from+len(key.text)/3; j++ {
				usual, tokens = append(usual, g.keys[m][j]), append(tokens, g.pieces[m].Tokens[j])
			}
		}
		if p < n && 2*held[p] >= g.k {
			usual, tokens = append(usual, g.usual[p]), append(tokens, g.tokens[p])
		} else if p < n {
			changed = true
		}
	}
	if !changed {
		return true
	}
	g.usual, g.tokens = usual, tokens
	return len(usual) > 0 && g.alignAll()
}

// hunks are the differences of all members, by member and place.
func (g *group) hunks() []hunk {
	var list []hunk
	for m, at := range g.at {
		if at == nil {
			continue
		}
		place := 0
		for j := 0; j <= len(at); j++ {
			low := j
			for j < len(at) && at[j] < 0 {
				j++
			}
			to := len(g.usual)
			if j < len(at) {
				to = int(at[j])
			}
			if to > place || j > low {
				h := hunk{m, place, to, low, j}
				if n := len(list); n > 0 && list[n-1].member == m && h.from-list[n-1].to <= joined {
					h.from, h.low = list[n-1].from, list[n-1].low // one change, such as a bracket at both ends
					list = list[:n-1]
				}
				list = append(list, h)
			}
			place = to + 1
		}
	}
	return list
}

// judge makes departures of the hunks that most members do not share.
func (g *group) judge(hunks []hunk) []Departure {
	n := len(g.usual)
	// touched counts the members that differ at a place, or right before it.
	touched := make([]int, n+1)
	own := make([]int, len(g.pieces))
	for _, h := range hunks {
		own[h.member]++
		for p := h.from; p <= max(h.from, h.to-1); p++ {
			touched[p]++
		}
	}
	var list []Departure
	for _, h := range hunks {
		worst := 0
		for p := h.from; p <= max(h.from, h.to-1); p++ {
			worst = max(worst, touched[p])
		}
		agree := g.k - worst
		if agree < 2 || float64(agree) < leastAgree*float64(g.k) {
			continue
		}
		d := g.departure(h, agree)
		calm := 1 - float64(len(busy(hunks, h)))/float64(g.k)
		d.Score = strength(agree, g.k) * g.quiet(h.member, own, len(hunks)) * g.weight(h) * calm * calm
		list = append(list, d)
	}
	return list
}

// busy are the other members that differ near a difference.
func busy(hunks []hunk, h hunk) map[int]bool {
	members := map[int]bool{}
	for _, o := range hunks {
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
func (g *group) quiet(member int, own []int, hunks int) float64 {
	others := float64(hunks-own[member]) / float64(g.k-1)
	return 1 / (1 + 0.5*float64(max(own[member]-1, 0))) / (1 + others)
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

// departure says where a hunk stands and what is there.
func (g *group) departure(h hunk, agree int) Departure {
	tokens := g.pieces[h.member].Tokens
	first, last := h.low, h.high-1
	if last < first { // something is missing: between its neighbours
		first, last = max(0, h.low-1), min(h.low, len(tokens)-1)
		if tokens[last].Line > tokens[first].Line+mostBetween {
			last = first
		}
	}
	return Departure{Piece: h.member, Line: int(tokens[first].Line), EndLine: int(tokens[last].Line), Has: show(tokens[h.low:h.high]),
		Usual: show(g.translated(h)), Agree: agree, Of: g.k}
}

// translated is what is usual at a hunk, in the names that its member has for what others call otherwise.
func (g *group) translated(h hunk) []Token {
	own := map[string]string{}
	for j, p := range g.at[h.member] {
		if p >= 0 && g.usual[p] < 0 {
			own[g.tokens[p].Text] = g.pieces[h.member].Tokens[j].Text
		}
	}
	tokens := slices.Clone(g.tokens[h.from:h.to])
	for i := range tokens {
		if name, ok := own[tokens[i].Text]; ok && g.usual[h.from+i] < 0 {
			tokens[i].Text = name
		}
	}
	return tokens
}

// show writes tokens with as few spaces as they need.
func show(tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i == maxShown {
			b.WriteString(" ...")
			break
		}
		if i > 0 {
			before, after := tokens[i-1].Text, t.Text
			if !strings.Contains("([.{!@", before) && !strings.Contains(")]}.,;:([", after) || isWord(rune(before[0])) && isWord(rune(after[0])) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

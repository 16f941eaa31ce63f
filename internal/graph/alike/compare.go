package alike

import (
	"cmp"
	"fmt"
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
	Model         Span   // where a piece says the usual
	Whole         bool   // one side has nothing where the other has whole lines
	Same          string // equal for pieces that depart in the same way, but for their own names
}

// Span is lines of a piece.
type Span struct{ Piece, Line, EndLine int }

// Comparison is what there is to say of pieces that are compared.
type Comparison struct {
	Departures []Departure // the strongest first
	Apart      []int       // pieces that have little in common with the others
	Split      []Span      // where there is no majority, in the words of one piece
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
	hunks  []hunk
	own    [][]hunk // of each member
}

// hunk is a place where a member differs: usual[from:to] stands as its tokens [low:high].
type hunk struct{ member, from, to, low, high int }

// Compare says where each piece departs from the majority. A piece without tokens takes no part.
func Compare(pieces []Piece) Comparison {
	g := &group{pieces: pieces}
	g.makeKeys()
	if !g.align(g.reference()) || !g.settle() {
		return Comparison{Apart: g.apart()}
	}
	g.hunks, g.own = g.differences(), make([][]hunk, len(pieces))
	for _, h := range g.hunks {
		g.own[h.member] = append(g.own[h.member], h)
	}
	c := g.judge()
	c.Apart = g.apart()
	c.Departures = append(c.Departures, g.renamed()...)
	slices.SortStableFunc(c.Departures, func(a, b Departure) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.Line, b.Line))
	})
	return c
}

// apart are the members that could not be aligned.
func (g *group) apart() (list []int) {
	for m, at := range g.at {
		if at == nil && len(g.keys[m]) > 0 {
			list = append(list, m)
		}
	}
	return list
}

// align takes a piece for what is usual and aligns all with it.
func (g *group) align(ref int) bool {
	g.usual = g.keys[ref]
	g.tokens = g.pieces[ref].Tokens
	return g.alignAll()
}

func (g *group) alignAll() bool {
	g.at, g.k = make([][]int32, len(g.keys)), 0
	if len(g.usual) == 0 {
		return false
	}
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

// differences are those of all members, by member and place.
func (g *group) differences() []hunk {
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
func (g *group) judge() (c Comparison) {
	n := len(g.usual)
	// touched counts the members that differ at a place, or right before it.
	touched := make([]int, n+1)
	for _, h := range g.hunks {
		for p := h.from; p <= max(h.from, h.to-1); p++ {
			touched[p]++
		}
	}
	split := map[int]bool{}
	for _, h := range g.hunks {
		worst := 0
		for p := h.from; p <= max(h.from, h.to-1); p++ {
			worst = max(worst, touched[p])
		}
		agree := g.k - worst
		if agree < 2 || float64(agree) < leastAgree*float64(g.k) {
			if s := g.model(h); !split[s.Line] {
				split[s.Line] = true
				c.Split = append(c.Split, s)
			}
			continue
		}
		d := g.departure(h, agree)
		calm := 1 - float64(len(g.busy(h)))/float64(g.k)
		d.Score = strength(agree, g.k) * g.quiet(h.member) * g.weight(h) * calm * calm
		c.Departures = append(c.Departures, d)
	}
	return c
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
	for last > first && last < h.high && tokens[last].layout() {
		last--
	}
	d := Departure{Piece: h.member, Line: int(tokens[first].Line), EndLine: int(tokens[last].Line), Has: show(tokens[h.low:h.high]),
		Usual: show(g.translated(h)), Agree: agree, Of: g.k, Model: g.model(h), Same: g.same(h)}
	switch {
	case h.from == h.to:
		d.Whole = wholeLines(tokens, h.low, h.high)
	case h.low == h.high && d.Model.Piece >= 0:
		at := g.at[d.Model.Piece]
		d.Whole = wholeLines(g.pieces[d.Model.Piece].Tokens, slices.Index(at, int32(h.from)), slices.Index(at, int32(h.to-1))+1)
	}
	return d
}

// model is where the first member that says the usual at a hunk says it, or what stands around the hunk's place.
func (g *group) model(h hunk) Span {
	for m, at := range g.at {
		if at == nil || m == h.member || slices.ContainsFunc(g.own[m], func(o hunk) bool { return o.from <= h.to && h.from <= o.to }) {
			continue
		}
		found := Span{Piece: -1}
		for j, p := range at {
			t := g.pieces[m].Tokens[j]
			if int(p) < h.from-btoi(h.from == h.to) || int(p) > max(h.from, h.to-1) || t.layout() && found.Piece >= 0 && int(p) < h.to {
				continue
			}
			line := int(t.Line)
			if found.Piece < 0 {
				found = Span{m, line, line}
			}
			found.EndLine = line
		}
		if found.Piece >= 0 {
			return found
		}
	}
	return Span{Piece: -1}
}

// same says how a hunk departs, without the names that are its file's own.
func (g *group) same(h hunk) string {
	var b strings.Builder
	fmt.Fprint(&b, h.from, " ", h.to)
	for j, t := range g.pieces[h.member].Tokens[h.low:h.high] {
		if g.keys[h.member][h.low+j] >= 0 {
			b.WriteString(" " + t.bare)
		} else {
			b.WriteString(" " + own)
		}
	}
	return b.String()
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

package alike

import "fmt"

// renamed finds names of a piece's own that do not stand where they stand in the others: if most pieces have one name at
// two places, whichever it is, a piece that has two different ones there departs, and so does one that has the same name
// where most have two.
func (g *group) renamed() []Departure {
	n := len(g.usual)
	before := make([][]int32, len(g.pieces)) // for a member and a place, the place where its name stood last
	index := make([][]int32, len(g.pieces))  // the member's token at a place
	for m, at := range g.at {
		if at == nil {
			continue
		}
		before[m], index[m] = make([]int32, n), make([]int32, n)
		last := map[string]int32{}
		for p := range n {
			before[m][p], index[m][p] = -2, -1
		}
		for j, p := range at {
			if p < 0 || g.pieces[m].Tokens[j].kind != word || g.usual[p] >= 0 {
				continue
			}
			name := g.pieces[m].Tokens[j].Text
			index[m][p] = int32(j)
			before[m][p] = -1
			if q, ok := last[name]; ok {
				before[m][p] = q
			}
			last[name] = p
		}
	}
	var list []Departure
	count := map[int32]int{}
	for p := range n {
		if g.usual[p] >= 0 {
			continue
		}
		clear(count)
		usual, most, all := int32(-2), 0, 0
		for m := range before {
			if before[m] == nil || before[m][p] == -2 {
				continue
			}
			all++
			q := before[m][p]
			if count[q]++; count[q] > most || count[q] == most && q < usual {
				usual, most = q, count[q]
			}
		}
		if most < 2 || most == all || float64(most) < 0.75*float64(all) {
			continue
		}
		for m := range before {
			if before[m] == nil || before[m][p] == -2 || before[m][p] == usual || usual >= 0 && index[m][usual] < 0 {
				continue
			}
			t := g.pieces[m].Tokens[index[m][p]]
			d := Departure{Piece: m, Line: int(t.Line), EndLine: int(t.Line), Has: t.Text, Agree: most, Of: all,
				Same: fmt.Sprint(p, usual), Model: g.model(hunk{member: m, from: p, to: p + 1})}
			if usual >= 0 {
				d.Usual = g.pieces[m].Tokens[index[m][usual]].Text
			} else {
				d.Usual = "a name of its own"
			}
			d.Score = strength(most, all) * g.quiet(m) * 0.3
			list = append(list, d)
		}
	}
	return list
}

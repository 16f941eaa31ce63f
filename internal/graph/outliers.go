package graph

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/graph/alike"
)

// Outlier is a function that differs from its siblings: those of its name or shape.
type Outlier struct {
	Symbol     *Symbol     `json:"symbol"`
	Siblings   []*Symbol   `json:"siblings"` // at most five of them, for comparison
	Of         int         `json:"of"`       // functions that were compared
	Departures []Departure `json:"departures"`
	Score      float64     `json:"score"`
}

// Departure is a place where one piece of code differs from what most of its siblings say there.
type Departure struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Has     string `json:"has"`   // "" where something is missing
	Usual   string `json:"usual"` // "" where something was added
	Agree   int    `json:"agree"` // so many siblings say the usual
	Of      int    `json:"of"`

	score float64
}

const (
	maxDepartures = 6 // of one member that are given
	maxSiblings   = 5
)

// Outliers lists functions that differ from their siblings, the most telling first: where many agree against one, in
// little. Tests are left out. They are looked for once: the list is the same one at each call, and not to be changed.
func (g *Graph) Outliers() []Outlier {
	g.outliers.Do(func() { g.outlying = g.findOutliers() })
	return g.outlying
}

func (g *Graph) findOutliers() []Outlier {
	var ids []int32
	var pieces []alike.Piece
	for i := range g.files {
		f := &g.files[i]
		if f.test {
			continue
		}
		for k := range f.facts.Symbols {
			if s := &g.symbols[f.first+int32(k)]; s.Kind.callable() && !s.facts.Declared {
				ids = append(ids, s.id)
			}
		}
	}
	pieces = make([]alike.Piece, len(ids))
	parallel(len(ids), func(i int) {
		s := &g.symbols[ids[i]]
		f := &g.files[s.file]
		pieces[i] = alike.Piece{Name: f.family + " " + s.Name, Tokens: alike.Tokens(f.family, g.lines(s.File, s.Line, s.EndLine), s.Line, nil)}
	})
	groups := alike.Groups(pieces)
	found := make([][]Outlier, len(groups))
	parallel(len(groups), func(n int) {
		members := make([]alike.Piece, len(groups[n]))
		for i, k := range groups[n] {
			members[i] = pieces[k]
		}
		byMember := map[int]*Outlier{}
		for _, d := range alike.Compare(members).Departures {
			s := &g.symbols[ids[groups[n][d.Piece]]]
			o := byMember[d.Piece]
			if o == nil {
				o = &Outlier{Symbol: s, Of: len(members), Score: d.Score}
				byMember[d.Piece] = o
				for _, k := range groups[n] {
					if len(o.Siblings) < maxSiblings && ids[k] != s.id {
						o.Siblings = append(o.Siblings, &g.symbols[ids[k]])
					}
				}
			}
			if len(o.Departures) < maxDepartures {
				o.Departures = append(o.Departures, departure(s.File, d))
			}
		}
		for i := range members {
			if o := byMember[i]; o != nil {
				found[n] = append(found[n], *o)
			}
		}
	})
	list := slices.Concat(found...)
	slices.SortStableFunc(list, func(a, b Outlier) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Symbol.id, b.Symbol.id))
	})
	return list
}

func departure(file string, d alike.Departure) Departure {
	return Departure{file, d.Line, d.EndLine, d.Has, d.Usual, d.Agree, d.Of, d.Score}
}

// lines gives lines of a file.
func (g *Graph) lines(path string, from, to int) string {
	text, _ := g.code.Text(path)
	start := 0
	for n := 1; n < from; n++ {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return ""
		}
		start += i + 1
	}
	end := start
	for n := from; n <= to && end < len(text); n++ {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text[start:]
		}
		end += i + 1
	}
	return text[start:end]
}

// parallel calls f for each number below n, several at once.
func parallel(n int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

package locate

import "math"

// links are the edges of the code graph between files, weighted: who uses whom.
type links struct {
	to     [][]link // by file
	within [][]link // by place: the places that it uses or that use it
}

type link struct {
	to     int32
	weight float64
}

// link reads the graph's edges.
func (x *Index) link() links {
	l := links{to: make([][]link, len(x.files)), within: make([][]link, len(x.places))}
	bySymbol := map[any]*place{}
	for _, p := range x.places {
		bySymbol[p.Symbol] = p
	}
	for _, f := range x.files {
		uses := map[int32]float64{}
		var order []int32
		between := map[[2]int32]bool{}
		for _, e := range x.graph.Uses(f.path, 1, f.lines) {
			to := x.byPath[e.To.File]
			if to == nil {
				continue
			}
			if to != f {
				if uses[int32(to.id)] == 0 {
					order = append(order, int32(to.id))
				}
				uses[int32(to.id)]++
			}
			a, b := bySymbol[e.From], bySymbol[e.To]
			if a == nil || b == nil || a == b || between[[2]int32{int32(a.id), int32(b.id)}] {
				continue
			}
			between[[2]int32{int32(a.id), int32(b.id)}] = true
			l.within[a.id] = append(l.within[a.id], link{int32(b.id), 1})
			l.within[b.id] = append(l.within[b.id], link{int32(a.id), 0.5})
		}
		for _, to := range order {
			w := 1 + math.Log(uses[to])
			l.to[f.id] = append(l.to[f.id], link{to, w})
			l.to[to] = append(l.to[to], link{int32(f.id), w / 2})
		}
	}
	return l
}

// Parameters of the walk.
const (
	restart = 0.4 // how often it begins again at a seed
	steps   = 12
)

// walk is personalised PageRank (Haveliwala, "Topic-Sensitive PageRank", 2002) from seeds that add up to anything: how often a
// walker is where, who follows edges by their weights and begins again at a seed now and then.
func walk(edges [][]link, seeds []float64) []float64 {
	total := 0.0
	for _, s := range seeds {
		total += s
	}
	at := make([]float64, len(seeds))
	if total == 0 {
		return at
	}
	start := make([]float64, len(seeds))
	for i, s := range seeds {
		start[i] = s / total
	}
	copy(at, start)
	out := make([]float64, len(seeds))
	for i, es := range edges {
		for _, e := range es {
			out[i] += e.weight
		}
	}
	for range steps {
		next := make([]float64, len(seeds))
		lost := 0.0
		for i, p := range at {
			if p == 0 {
				continue
			}
			if out[i] == 0 {
				lost += p
				continue
			}
			for _, e := range edges[i] {
				next[e.to] += (1 - restart) * p * e.weight / out[i]
			}
		}
		for i := range next {
			next[i] += (restart + (1-restart)*lost) * start[i]
		}
		at = next
	}
	return at
}

package finding

import (
	"cmp"
	"math"
	"slices"
)

// edge is a finding that fits a truth, and what it costs to let it count for it.
type edge struct {
	finding int
	cost    int64
}

// groups are sets of truths that compete for findings, as a union-find forest.
type groups struct{ parent []int }

func newGroups(n int) groups {
	g := groups{make([]int, n)}
	for i := range g.parent {
		g.parent[i] = i
	}
	return g
}

func (g groups) find(i int) int {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

func (g groups) join(i, j int) { g.parent[g.find(i)] = g.find(j) }

// all lists the members of each set by content.
func (g groups) all(truths []Truth) [][]int {
	at := map[int]int{}
	var sets [][]int
	for i := range g.parent {
		root := g.find(i)
		if _, ok := at[root]; !ok {
			at[root] = len(sets)
			sets = append(sets, nil)
		}
		sets[at[root]] = append(sets[at[root]], i)
	}
	for _, set := range sets {
		slices.SortStableFunc(set, func(i, j int) int {
			a, b := truths[i], truths[j]
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.Category, b.Category))
		})
	}
	return sets
}

// assign matches the truths of one set with their findings and enters the findings that count into counts: as many as
// possible, at the smallest total cost.
func assign(members []int, edges [][]edge, fs []Finding, counts []int) {
	var columns []int
	costs := make([]map[int]int64, len(members)) // row -> finding -> cost
	for row, t := range members {
		costs[row] = map[int]int64{}
		// Of n truths, the others can take at most n-1 findings away, so each needs its n best only.
		for _, e := range cheapest(edges[t], len(members), fs) {
			costs[row][e.finding] = e.cost
			columns = append(columns, e.finding)
		}
	}
	if len(columns) == 0 {
		return
	}
	slices.SortFunc(columns, func(i, j int) int { return cmp.Or(compareClaims(&fs[i], &fs[j]), cmp.Compare(i, j)) })
	columns = slices.Compact(columns)
	assigned := hungarian(len(members), len(columns), func(row, column int) int64 {
		if c, ok := costs[row][columns[column]]; ok {
			return c
		}
		return math.MaxInt64
	})
	for row, column := range assigned {
		if column >= 0 {
			counts[members[row]] = columns[column]
		}
	}
}

// cheapest returns the n edges of least cost, equal ones in the order of their findings' content.
func cheapest(es []edge, n int, fs []Finding) []edge {
	best := make([]edge, 0, n)
	order := func(a, b edge) int {
		if c := cmp.Compare(a.cost, b.cost); c != 0 {
			return c
		}
		return cmp.Or(compareClaims(&fs[a.finding], &fs[b.finding]), cmp.Compare(a.finding, b.finding))
	}
	for _, e := range es {
		if len(best) == n {
			if order(e, best[n-1]) > 0 {
				continue
			}
			best = best[:n-1]
		}
		at, _ := slices.BinarySearchFunc(best, e, order)
		best = slices.Insert(best, at, e)
	}
	return best
}

// compareClaims orders two findings of one file by all that they say, except for what Merge adds.
func compareClaims(a, b *Finding) int {
	if c := cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.EndLine, b.EndLine)); c != 0 {
		return c // as nearly always
	}
	return cmp.Or(
		cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.Title, b.Title),
		cmp.Compare(b.Confidence, a.Confidence),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.CWE, b.CWE),
		cmp.Compare(a.Evidence, b.Evidence),
		cmp.Compare(a.Explanation, b.Explanation),
		cmp.Compare(a.Suggestion, b.Suggestion),
		cmp.Compare(a.ID, b.ID),
		slices.Compare(a.Sources, b.Sources),
	)
}

// Costs of leaving a row without a column, and of an edge that is not there: each larger than any sum of real costs, and
// small enough to be added up.
const (
	costMissed = 1 << 42
	costNoEdge = 1 << 43
)

// hungarian is the assignment of rows to columns of least total cost among those of the most rows: the method of Kuhn
// 1955 and Munkres 1957 with shortest augmenting paths (Jonker and Volgenant 1987). A cost of MaxInt64 says that the two
// cannot go together. It returns each row's column, or -1.
func hungarian(rows, columns int, cost func(row, column int) int64) []int {
	// Every row can go to one of as many columns that stand for none.
	n := columns + rows
	costAt := func(row, column int) int64 {
		if column >= columns {
			return costMissed
		}
		return min(cost(row, column), costNoEdge)
	}
	const free = -1
	owner := make([]int, n+1) // the row of a column; the last one is where each new row starts
	for j := range owner {
		owner[j] = free
	}
	rowPrice, columnPrice := make([]int64, rows), make([]int64, n+1)
	slack, from, seen := make([]int64, n), make([]int, n), make([]bool, n+1)
	for row := range rows {
		at := n
		owner[at] = row
		for j := range slack {
			slack[j] = math.MaxInt64
		}
		clear(seen)
		for owner[at] != free {
			seen[at] = true
			r, delta, next := owner[at], int64(math.MaxInt64), -1
			for j := range n {
				if seen[j] {
					continue
				}
				if reduced := costAt(r, j) - rowPrice[r] - columnPrice[j]; reduced < slack[j] {
					slack[j], from[j] = reduced, at
				}
				if slack[j] < delta {
					delta, next = slack[j], j
				}
			}
			for j := range seen {
				if seen[j] {
					rowPrice[owner[j]] += delta
					columnPrice[j] -= delta
				} else {
					slack[j] -= delta
				}
			}
			at = next
		}
		for at != n {
			owner[at] = owner[from[at]]
			at = from[at]
		}
		owner[n] = free
	}
	assigned := make([]int, rows)
	for i := range assigned {
		assigned[i] = -1
	}
	for j, row := range owner[:columns] {
		if row != free && costAt(row, j) < costNoEdge {
			assigned[row] = j
		}
	}
	return assigned
}

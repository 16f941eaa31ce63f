package demo

// kind is a sort of policy: what it plans, and how it takes what happens.
type kind struct {
	name   string
	weight int // how often it is played, relative to the others
	mood   mood
	// plan gives the cells that it means to write, without the last: that is its report.
	plan func(s *style) []step
	// good is how often its report cites places, judges how often it judges what was found before.
	good, judges float64
}

// mood is how a policy takes what happens. The chances are of one cell.
type mood struct {
	sloppy  float64 // to write a cell wrongly
	repeat  float64 // after an error: to write the very same again
	despair float64 // after an error: to hand in a guess
	skip    float64 // after an error: to continue as if nothing had happened
	// otherwise the cell is repaired
}

var (
	careful  = mood{sloppy: 0.04, repeat: 0.1, despair: 0.05, skip: 0.05}
	usual    = mood{sloppy: 0.12, repeat: 0.2, despair: 0.2, skip: 0.15}
	careless = mood{sloppy: 0.75, repeat: 0.35, despair: 0.3, skip: 0.15}
)

// step is one planned cell.
type step struct {
	cell string
	// when says whether it is still wanted, by what the last view says. Defaults to always.
	when func(view string) bool
}

func cells(texts ...string) []step {
	steps := make([]step, len(texts))
	for i, t := range texts {
		steps[i].cell = t
	}
	return steps
}

// sending is a plan around one cell that sends something: perhaps a look before it, and its output after it.
func sending(s *style, looks float64, cell string) []step {
	var out []step
	if s.chance(looks) {
		out = cells(s.look())
	}
	return append(out, step{cell: s.section() + cell + s.tail()})
}

// kinds are all sorts of policy.
func kinds() []kind {
	return []kind{
		{"finish_early", 10, usual, func(s *style) []step {
			if s.chance(0.6) {
				return cells(s.look())
			}
			return nil
		}, -1, 0},
		{"explore_only", 7, usual, func(s *style) []step {
			var out []step
			for range 3 + s.r.IntN(7) {
				out = append(out, cells(s.look())...)
			}
			return out
		}, -1, 0},
		{"zero_delegation", 6, usual, func(s *style) []step {
			out := cells(s.byHand())
			if s.chance(0.5) {
				out = append(cells(s.search()), out...)
			}
			return out
		}, 0.5, 0},
		{"broken_code", 12, careless, func(s *style) []step {
			switch s.r.IntN(3) {
			case 0:
				return sending(s, 0.3, s.heap())
			case 1:
				return sending(s, 0.3, s.loop())
			}
			return sending(s, 0.3, s.each())
		}, 0.5, 0},
		{"names_only", 5, usual, func(s *style) []step { return cells(s.named() + s.tail()) }, 0.4, 0},
		{"batch_some", 6, usual, func(s *style) []step { return sending(s, 0.4, s.some(1+s.r.IntN(4))) }, 0.4, 0},
		{"over_explorer", 6, usual, func(s *style) []step {
			var out []step
			for range 4 + s.r.IntN(6) {
				out = append(out, cells(s.look())...)
			}
			return append(out, sending(s, 0, s.each())...)
		}, 0.5, 0},
		{"one_by_one", 6, usual, func(s *style) []step { return sending(s, 0.3, s.loop()) }, 0.5, 0},
		{"turn_by_turn", 4, usual, func(s *style) []step {
			out := cells(s.section() + s.turnByTurn(0) + s.tail())
			for i := range 2 + s.r.IntN(4) {
				out = append(out, cells(s.turnByTurn(i+1))...)
			}
			return out
		}, 0.4, 0},
		{"batch_all", 8, usual, func(s *style) []step { return sending(s, 0.3, s.each()) }, 0.6, 0.2},
		{"heap", 5, usual, func(s *style) []step { return sending(s, 0.3, s.heap()) }, 0.6, 0},
		{"pairs", 3, usual, func(s *style) []step { return sending(s, 0.2, s.pairs()) }, 0.6, 0},
		{"windows", 3, usual, func(s *style) []step { return sending(s, 0.2, s.windows(4, 2)) }, 0.6, 0},
		{"chunks", 3, usual, func(s *style) []step { n := 2 + s.r.IntN(3); return sending(s, 0.2, s.windows(n, n)) }, 0.5, 0},
		{"batch_heap", 4, careful, func(s *style) []step {
			return append(sending(s, 0.2, s.each()), cells(s.heap()+s.tail())...)
		}, 0.8, 0.4},
		{"neighbours", 5, careful, func(s *style) []step {
			if s.chance(0.5) {
				return sending(s, 0.2, s.near()+s.neighbours())
			}
			return append(sending(s, 0.1, s.each()), cells(s.near()+s.neighbours()+s.tail())...)
		}, 0.85, 0.5},
		{"thorough", 5, careful, func(s *style) []step {
			n := 3 + s.r.IntN(3)
			return []step{
				{cell: s.section() + s.some(n) + s.fill("\nprint(coverage()[\"fraction\"])")},
				{cell: s.rest(n) + s.tail()},
				{cell: s.missing() + s.tail(), when: func(view string) bool { return !covered(view) }},
			}
		}, 0.8, 0.5},
		{"related", 5, careful, func(s *style) []step { return sending(s, 0.2, s.related()) }, 0.85, 0.5},
		{"reviews", 4, usual, func(s *style) []step { return cells(s.review() + s.tail()) }, 0.7, 0.3},
	}
}

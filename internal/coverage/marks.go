package coverage

// marks is one bit a unit, and the lines that come of it by content.
type marks struct {
	bits  []uint64
	lines []int32 // covered lines by content
	total int     // covered lines over all files
}

// newMarks is nothing but the files without a line that is not blank, which are covered from the start.
func (x *index) newMarks() marks {
	m := marks{bits: make([]uint64, (len(x.starts)+63)/64), lines: make([]int32, len(x.contents))}
	for id, c := range x.contents {
		if c.n == 0 {
			m.lines[id] = c.lines
			m.total += int(c.lines) * len(c.files)
		}
	}
	return m
}

// units are the first unit of a run and the one behind its last, those that are cut included.
func (r run) units() (from, to int32) {
	from, to = r.unit, r.unit+r.n
	if r.cutStart {
		from--
	}
	if r.cutEnd {
		to++
	}
	return from, to
}

// hold says whether all units of the runs are marked.
func (m *marks) hold(runs []run) bool {
	for _, r := range runs {
		for u, to := r.units(); u < to; u++ {
			if m.bits[u>>6]&(1<<(u&63)) == 0 {
				return false
			}
		}
	}
	return true
}

func (m *marks) add(x *index, runs []run) {
	dirty := map[int32]bool{}
	for _, r := range runs {
		from, to := r.units()
		for u := from; u < to; u++ {
			if m.bits[u>>6]&(1<<(u&63)) == 0 {
				m.bits[u>>6] |= 1 << (u & 63)
				dirty[r.content] = true
			}
		}
	}
	for id := range dirty {
		n := int32(count(m.ranges(x, id)))
		m.total += int(n-m.lines[id]) * len(x.contents[id].files)
		m.lines[id] = n
	}
}

// count is how many lines ranges hold.
func count(ranges [][2]int) int {
	n := 0
	for _, r := range ranges {
		n += r[1] - r[0] + 1
	}
	return n
}

// ranges gives the covered lines of a content: those of whose units at least
// half are marked, and the blank ones next to them.
func (m *marks) ranges(x *index, id int32) [][2]int {
	c := &x.contents[id]
	if c.n == 0 {
		if c.lines == 0 {
			return nil
		}
		return [][2]int{{1, int(c.lines)}}
	}
	var out [][2]int
	from := int32(0) // first line that belongs to the next line with units
	for u := c.first; u < c.first+c.n; {
		line, all, got := x.lines[u], 0, 0
		for ; u < c.first+c.n && x.lines[u] == line; u++ {
			all++
			if m.bits[u>>6]&(1<<(u&63)) != 0 {
				got++
			}
		}
		next := c.lines // the blank lines below are this line's
		if u < c.first+c.n {
			next = x.lines[u]
		}
		if 2*got >= all {
			if n := len(out); n > 0 && out[n-1][1] == int(from) {
				out[n-1][1] = int(next)
			} else {
				out = append(out, [2]int{int(from) + 1, int(next)})
			}
		}
		from = next
	}
	return out
}

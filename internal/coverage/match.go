package coverage

import (
	"cmp"
	"slices"
	"strings"
)

// maxTies is how many contents may share a credit that nothing decides.
const maxTies = 8

// run is a maximal stretch of a prompt that stands in a content.
type run struct {
	content  int32
	unit     int32 // first unit, counted over all contents
	n        int32
	end      int32 // index behind its last unit in the sequence it was found in
	lo, hi   int32 // bytes of the prompt
	named    bool  // follows a line that names its file
	whole    bool  // is all of its content
	cutStart bool  // the unit before it is there in part
	cutEnd   bool  // the unit after it is there in part
}

// match gives the runs of prompt that count.
func (x *index) match(prompt string) []run {
	units := splitUnits(make([]unit, 0, len(prompt)/24), prompt, x.seed)
	blocks := append([][]unit{units}, numbered(prompt, x.seed)...)
	blocks = append(blocks, escaped(prompt, x.seed)...)
	var runs []run
	for _, b := range blocks {
		runs = x.runs(runs, b)
	}
	runs = dropContained(runs)
	var names []name
	for _, b := range blocks {
		names = x.names(names, b, runs)
	}
	if len(names) > 0 {
		for _, b := range blocks {
			runs = x.namedRuns(runs, b, names)
		}
	}
	return x.settleTies(runs, prompt)
}

// runs appends the runs of one sequence of units. After a run the search continues where a longer or another one can
// begin; the inside is not searched, because dropContained would drop it.
func (x *index) runs(runs []run, units []unit) []run {
	for i := 0; i < len(units); {
		from := len(runs)
		if i+window <= len(units) {
			key := mix(units[i].hash, units[i+1].hash, units[i+2].hash)
			for _, u := range x.find(key) {
				runs = x.extend(runs, units, i, u, window)
			}
			for _, id := range x.boiler[key] {
				c := &x.contents[id]
				if i+int(c.n) <= len(units) {
					runs = x.extend(runs, units, i, c.first, int(c.n))
				}
			}
		}
		if len(x.short) > 0 {
			for n := 1; n < window && i+n <= len(units); n++ {
				for _, id := range x.short[shortKey(units[i:i+n])] {
					runs = x.extend(runs, units, i, x.contents[id].first, n)
				}
			}
		}
		next := i + 1
		for _, r := range runs[from:] {
			next = max(next, int(r.end)-window+1)
		}
		i = next
	}
	return runs
}

// extend appends the maximal run through units[i] and unit u, if at least need
// units from there on agree.
func (x *index) extend(runs []run, units []unit, i int, u int32, need int) []run {
	c := &x.contents[x.owner[u]]
	last := c.first + c.n
	b, v := i, u
	for b < len(units) && v < last && units[b].text == x.text(v) {
		b, v = b+1, v+1
	}
	if b-i < need {
		return runs
	}
	a := i
	for a > 0 && u > c.first && units[a-1].text == x.text(u-1) {
		a, u = a-1, u-1
	}
	r := run{
		content: x.owner[u], unit: u, n: int32(b - a), end: int32(b),
		lo: units[a].start, hi: units[b-1].end, whole: int32(b-a) == c.n,
	}
	if v < last && b < len(units) {
		full := x.text(v)
		r.cutEnd = 2*len(units[b].text) >= len(full) && strings.HasPrefix(full, units[b].text)
	}
	if u > c.first && a > 0 {
		full := x.text(u - 1)
		r.cutStart = 2*len(units[a-1].text) >= len(full) && strings.HasSuffix(full, units[a-1].text)
	}
	return append(runs, r)
}

// dropContained keeps the runs that lie in no longer run.
func dropContained(runs []run) []run {
	slices.SortFunc(runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi), cmp.Compare(a.unit, b.unit))
	})
	kept := runs[:0]
	reach := int32(-1)
	for i := 0; i < len(runs); {
		j := i
		lo, hi := runs[i].lo, runs[i].hi
		for j < len(runs) && runs[j].lo == lo && runs[j].hi == hi {
			j++
		}
		if hi > reach {
			kept = append(kept, runs[i:j]...)
			reach = hi
		}
		i = j
	}
	return kept
}

// settleTies decides between contents that the same stretch is a run of.
func (x *index) settleTies(runs []run, prompt string) []run {
	score := map[int32]int32{}
	for _, r := range runs {
		score[r.content] += r.n
	}
	slices.SortFunc(runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi), cmp.Compare(a.unit, b.unit))
	})
	var kept []run
	for i := 0; i < len(runs); {
		j, same := i, true
		for j < len(runs) && runs[j].lo == runs[i].lo && runs[j].hi == runs[i].hi {
			same = same && runs[j].content == runs[i].content
			j++
		}
		if group := runs[i:j]; same {
			kept = append(kept, group...)
		} else {
			kept = append(kept, x.settle(group, prompt, score)...)
		}
		i = j
	}
	return kept
}

func (x *index) settle(group []run, prompt string, score map[int32]int32) []run {
	best := int32(0)
	for _, r := range group {
		best = max(best, score[r.content])
	}
	for _, wanted := range []func(run) bool{
		func(r run) bool { return r.named },
		func(r run) bool { return x.inPrompt(r.content, prompt) },
		func(r run) bool { return r.whole },
		func(r run) bool { return score[r.content] == best },
	} {
		if some := slices.DeleteFunc(slices.Clone(group), func(r run) bool { return !wanted(r) }); len(some) > 0 {
			group = some
			// A name decides alone; it is what the prompt itself says.
			if contents(some) == 1 {
				break
			}
		}
	}
	if contents(group) > maxTies {
		return slices.DeleteFunc(group, func(r run) bool { return !r.named && !r.whole })
	}
	return group
}

func contents(runs []run) int {
	seen := map[int32]bool{}
	for _, r := range runs {
		seen[r.content] = true
	}
	return len(seen)
}

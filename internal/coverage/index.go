package coverage

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
)

const (
	window       = 3  // lines that make a run
	maxSharers   = 32 // contents that may share a window before it is common
	maxPlaces    = 4  // places of one window that are kept for one content
	maxBoilerKey = 256
)

// Source is the codebase that a ledger is kept of; *codebase.Codebase is one.
type Source interface {
	Text(path string) (string, bool)
	Paths() []string
}

// content is one text and the files that have it.
type content struct {
	text  string
	files []int32 // indexes into index.paths
	first int32   // its units are index.starts[first : first+n]
	n     int32
	lines int32
}

// index finds the places of a window of units. It does not change once built.
// Of a unit only its place in its text is kept: about 30 bytes a line in all.
type index struct {
	seed     maphash.Seed
	paths    []string
	byPath   map[string]int32 // content of each path
	contents []content

	starts, ends, lines, owner []int32 // by unit

	// Windows sorted by hash; buckets[h>>shift] is where those with these top
	// bits begin.
	hashes  []uint64
	places  []int32
	buckets []int32
	shift   uint

	short  map[uint64][]int32 // contents shorter than a window, by their hash
	boiler map[uint64][]int32 // contents of common windows only, by their first
}

func mix(a, b, c uint64) uint64 {
	h := a*0x9E3779B97F4A7C15 + bits.RotateLeft64(b, 23)*0xC2B2AE3D27D4EB4F + bits.RotateLeft64(c, 47)*0x165667B19E3779F9
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	return h ^ h>>32
}

// shortKey tells contents of one line from those of two.
func shortKey(units []unit) uint64 {
	if len(units) == 1 {
		return mix(units[0].hash, 1, 1)
	}
	return mix(units[0].hash, units[1].hash, 2)
}

type place struct {
	hash uint64
	unit int32
}

func buildIndex(src Source) *index {
	x := &index{
		seed: maphash.MakeSeed(), paths: src.Paths(),
		byPath: map[string]int32{}, short: map[uint64][]int32{}, boiler: map[uint64][]int32{},
	}
	slices.Sort(x.paths)
	byText := make(map[string]int32, len(x.paths))
	var places []place
	var firsts []uint64 // first window of each content, 0 for a short one
	var units []unit
	for i, path := range x.paths {
		text, _ := src.Text(path)
		id, known := byText[text]
		if !known {
			id = int32(len(x.contents))
			byText[text] = id
			units = splitUnits(units[:0], text, x.seed)
			places, firsts = x.addContent(text, units, places, firsts)
		}
		x.contents[id].files = append(x.contents[id].files, int32(i))
		x.byPath[path] = id
	}
	x.sortPlaces(places)
	x.findBoilerplate(firsts)
	return x
}

func (x *index) addContent(text string, units []unit, places []place, firsts []uint64) ([]place, []uint64) {
	id, first := int32(len(x.contents)), int32(len(x.starts))
	x.contents = append(x.contents, content{text: text, first: first, n: int32(len(units)), lines: countLines(text)})
	for i, u := range units {
		x.starts = append(x.starts, u.start)
		x.ends = append(x.ends, u.end)
		x.lines = append(x.lines, u.line)
		x.owner = append(x.owner, id)
		if i+window <= len(units) {
			places = append(places, place{mix(u.hash, units[i+1].hash, units[i+2].hash), first + int32(i)})
		}
	}
	switch {
	case len(units) >= window:
		return places, append(firsts, places[len(places)-len(units)+window-1].hash)
	case len(units) > 0:
		key := shortKey(units)
		x.short[key] = append(x.short[key], id)
	}
	return places, append(firsts, 0)
}

// sortPlaces sorts the windows by hash and drops the common ones.
func (x *index) sortPlaces(all []place) {
	slices.SortFunc(all, func(a, b place) int {
		if c := cmp.Compare(a.hash, b.hash); c != 0 {
			return c
		}
		return int(a.unit - b.unit)
	})
	x.hashes = make([]uint64, 0, len(all))
	x.places = make([]int32, 0, len(all))
	for i := 0; i < len(all); {
		j, sharers := i, 0
		for j < len(all) && all[j].hash == all[i].hash {
			if j == i || x.owner[all[j].unit] != x.owner[all[j-1].unit] {
				sharers++
			}
			j++
		}
		if sharers <= maxSharers {
			x.keep(all[i:j])
		}
		i = j
	}
	x.shift = uint(64 - max(1, bits.Len(uint(len(x.hashes)))))
	x.buckets = make([]int32, 1<<(64-x.shift)+1)
	for _, h := range x.hashes {
		x.buckets[h>>x.shift+1]++
	}
	for i := 1; i < len(x.buckets); i++ {
		x.buckets[i] += x.buckets[i-1]
	}
}

// keep takes over the places of one window: for each content the first and the
// last few, so that a text that repeats one line stays cheap.
func (x *index) keep(group []place) {
	for len(group) > 0 {
		n := 1
		for n < len(group) && x.owner[group[n].unit] == x.owner[group[0].unit] {
			n++
		}
		for i, p := range group[:n] {
			if i < maxPlaces/2 || i >= n-maxPlaces/2 {
				x.hashes = append(x.hashes, p.hash)
				x.places = append(x.places, p.unit)
			}
		}
		group = group[n:]
	}
}

// find gives the places of a window, and none when it is common or unknown.
func (x *index) find(h uint64) []int32 {
	lo, hi := x.buckets[h>>x.shift], x.buckets[h>>x.shift+1]
	for lo < hi && x.hashes[lo] < h {
		lo++
	}
	end := lo
	for end < hi && x.hashes[end] == h {
		end++
	}
	return x.places[lo:end]
}

// findBoilerplate registers the contents that no window leads to.
func (x *index) findBoilerplate(firsts []uint64) {
	reachable := make([]bool, len(x.contents))
	for _, u := range x.places {
		reachable[x.owner[u]] = true
	}
	for id, c := range x.contents {
		if key := firsts[id]; c.n >= window && !reachable[id] && len(x.boiler[key]) < maxBoilerKey {
			x.boiler[key] = append(x.boiler[key], int32(id))
		}
	}
}

// text gives the text of a unit.
func (x *index) text(u int32) string {
	return x.contents[x.owner[u]].text[x.starts[u]:x.ends[u]]
}

func countLines(text string) int32 {
	n := int32(strings.Count(text, "\n"))
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

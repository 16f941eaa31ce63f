package similar

import "slices"

const (
	// shingle is the length of the runs of tokens whose sets are compared.
	shingle = 5
	// A signature has bands × rows hashes. Two texts of Jaccard index j meet in some band with the chance
	// 1-(1-j^rows)^bands: above 0.999 at 0.85, and 0.1 at 0.5.
	bands = 16
	rows  = 5
)

// Set is what of a text takes part in the comparison: the hashes of its runs of five tokens.
type Set struct {
	hashes []uint64 // sorted, each once
	sign   [bands * rows]uint64
}

// NewSet makes the set of the given texts together; the place of a text in the list is part of its shingles, so that
// the same program as chosen and as rejected is not the same. A text of fewer than five tokens is one shingle.
func NewSet(texts ...string) *Set {
	s := &Set{}
	for place, text := range texts {
		tokens := Tokens(text)
		for i := 0; i == 0 || i+shingle <= len(tokens); i++ {
			h := mix(uint64(place) + 1)
			for _, t := range tokens[i:min(i+shingle, len(tokens))] {
				h = mix(h ^ fnv(t))
			}
			s.hashes = append(s.hashes, h)
		}
	}
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	for k := range s.sign {
		least := ^uint64(0)
		seed := mix(uint64(k) + 0x9e3779b97f4a7c15)
		for _, h := range s.hashes {
			least = min(least, mix(h^seed))
		}
		s.sign[k] = least
	}
	return s
}

// Jaccard is the exact index of two sets: the shingles of both over those of either.
func (s *Set) Jaccard(t *Set) float64 {
	both, i, j := 0, 0, 0
	for i < len(s.hashes) && j < len(t.hashes) {
		switch {
		case s.hashes[i] < t.hashes[j]:
			i++
		case s.hashes[i] > t.hashes[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	either := len(s.hashes) + len(t.hashes) - both
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
}

// Index finds sets that are nearly equal to one that was added before. The zero Index is empty and ready.
type Index struct {
	sets    []*Set
	buckets map[bucket][]int
}

type bucket struct {
	band int
	hash uint64
}

// Add adds a set and returns its number, counted from 0.
func (x *Index) Add(s *Set) int {
	if x.buckets == nil {
		x.buckets = map[bucket][]int{}
	}
	n := len(x.sets)
	x.sets = append(x.sets, s)
	for _, b := range s.keys() {
		x.buckets[b] = append(x.buckets[b], n)
	}
	return n
}

// Near are the numbers of the sets whose Jaccard index with s is at least least, in the order they were added. Below
// an index of 0.85 some may be missed.
func (x *Index) Near(s *Set, least float64) []int {
	seen := map[int]bool{}
	var out []int
	for _, b := range s.keys() {
		for _, n := range x.buckets[b] {
			if seen[n] {
				continue
			}
			seen[n] = true
			if x.sets[n].Jaccard(s) >= least {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s *Set) keys() [bands]bucket {
	var out [bands]bucket
	for band := range bands {
		h := uint64(band)
		for _, v := range s.sign[band*rows : (band+1)*rows] {
			h = mix(h ^ v)
		}
		out[band] = bucket{band, h}
	}
	return out
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014): fixed, fast, and good enough for shingles.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// fnv is FNV-1a over 64 bits.
func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

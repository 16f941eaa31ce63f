package alike

import (
	"cmp"
	"slices"
)

// Piece is code to be compared.
type Piece struct {
	Name   string // pieces of one name need to be less alike
	Tokens []Token
}

const (
	hashes    = 48 // of a signature
	rows      = 3  // of a band: pieces with one equal band are compared
	shingle   = 4
	maxBucket = 12 // representatives that a piece is compared with
	maxGroup  = 400
)

type signature [hashes]uint32

// Groups puts pieces together that are alike, the indices of each group in order. A piece is in one group at most, and a
// group has three pieces at least.
func Groups(pieces []Piece) [][]int {
	signatures := make([]signature, len(pieces))
	for i := range pieces {
		signatures[i] = sign4(pieces[i].Tokens)
	}
	return groups(pieces, signatures)
}

func groups(pieces []Piece, signatures []signature) [][]int {
	union := make([]int, len(pieces))
	for i := range union {
		union[i] = i
	}
	find := func(i int) int {
		for union[i] != i {
			union[i] = union[union[i]]
			i = union[i]
		}
		return i
	}
	join := func(i, j int) {
		if a, b := find(i), find(j); a != b {
			union[max(a, b)] = min(a, b)
		}
	}
	type bucket struct {
		name string
		band uint64
	}
	buckets := map[bucket][]int{}
	try := func(key bucket, i int, least float64) {
		list := buckets[key]
		for _, j := range list {
			if find(i) == find(j) {
				return
			}
			if similar(&signatures[i], &signatures[j]) >= least && sized(pieces[i], pieces[j]) {
				join(i, j)
				return
			}
		}
		if len(list) < maxBucket {
			buckets[key] = append(list, i)
		}
	}
	for i := range pieces {
		switch n := len(pieces[i].Tokens); {
		case n < 12:
			continue
		case pieces[i].Name != "":
			try(bucket{name: pieces[i].Name}, i, 0.3)
		}
		if len(pieces[i].Tokens) < 30 {
			continue
		}
		for b := 0; b < hashes; b += rows {
			h := uint64(b)
			for _, x := range signatures[i][b : b+rows] {
				h = mix(h ^ uint64(x))
			}
			try(bucket{band: h}, i, 0.7)
		}
	}
	byRoot := map[int][]int{}
	for i := range pieces {
		byRoot[find(i)] = append(byRoot[find(i)], i)
	}
	var out [][]int
	for _, list := range byRoot {
		if len(list) >= 3 {
			out = append(out, list[:min(len(list), maxGroup)])
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
}

// sized reports pieces that are not of quite different length.
func sized(a, b Piece) bool {
	x, y := len(a.Tokens), len(b.Tokens)
	return max(x, y) <= 2*min(x, y)+10
}

// sign4 is the signature of a piece: the least hashes of its runs of four tokens.
func sign4(tokens []Token) signature {
	var s signature
	for i := range s {
		s[i] = ^uint32(0)
	}
	var run [shingle]uint64
	for i, t := range tokens {
		run[i%shingle] = shape(t)
		if i < shingle-1 {
			continue
		}
		h := uint64(14695981039346656037)
		for k := range shingle {
			h = mix(h ^ run[(i+1+k)%shingle])
		}
		for k := range s {
			h += 0x9e3779b97f4a7c15
			if x := uint32(mix(h) >> 32); x < s[k] {
				s[k] = x
			}
		}
	}
	return s
}

// shape is a token's hash when what it is called does not count.
func shape(t Token) uint64 {
	switch t.kind {
	case word, number, quoted:
		return uint64(t.kind)
	}
	h := uint64(1469598103934665603)
	for i := range len(t.Text) {
		h = (h ^ uint64(t.Text[i])) * 1099511628211
	}
	return h
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func similar(a, b *signature) float64 {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return float64(n) / hashes
}

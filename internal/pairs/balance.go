package pairs

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// direction is 1 where the chosen side is shorter, -1 where it is longer.
func direction(p pick) int { return cmp.Compare(p.ratio, 0) }

// tilts are the ways in which the sizes of the sides can give the label away: characters, lines, and their ratio.
func tilts(p pick) [3]int {
	chosen, rejected := strings.Count(p.chosen.code, "\n"), strings.Count(p.rejected.code, "\n")
	width := p.ratio + math.Log(float64(chosen+1)/float64(rejected+1))
	if math.Abs(width) < 1e-9 {
		width = 0
	}
	return [3]int{direction(p), cmp.Compare(rejected, chosen), cmp.Compare(width, 0)}
}

// balance drops pairs, one at a time, until no tilt is right by more than most above a half: always the one that helps
// most, and of those the one whose sides differ most in length.
func balance(pool []pick, most float64) []pick {
	var sums [3]int
	all := make([][3]int, len(pool))
	for i, p := range pool {
		all[i] = tilts(p)
		for k, d := range all[i] {
			sums[k] += d
		}
	}
	// "The shorter one is chosen" is right in 1/2 + sum/(2n) of the pairs.
	excess := func(sums [3]int, n int) float64 {
		over := 0.0
		for _, s := range sums {
			over += max(0, math.Abs(float64(s))-2*most*float64(n))
		}
		return over
	}
	gone := make([]bool, len(pool))
	for n := len(pool); n > 0; n-- {
		now := excess(sums, n)
		best, least := -1, now
		for i, p := range pool {
			if gone[i] {
				continue
			}
			after := sums
			for k, d := range all[i] {
				after[k] -= d
			}
			over := excess(after, n-1)
			if over < least-1e-9 || best >= 0 && over < least+1e-9 && math.Abs(p.ratio) > math.Abs(pool[best].ratio)+1e-12 {
				best, least = i, min(over, least)
			}
		}
		if best < 0 {
			break
		}
		gone[best] = true
		for k, d := range all[best] {
			sums[k] -= d
		}
	}
	i := -1
	return slices.DeleteFunc(slices.Clone(pool), func(pick) bool { i++; return gone[i] })
}

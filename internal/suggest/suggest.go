// Package suggest finds the name that somebody may have meant. Distances are Levenshtein's, without regard to case.
package suggest

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

const (
	longest = 200 // bytes of a name that is compared at all
	uneven  = 60  // bytes by which close names may differ in length
)

// Nearest is the known name closest to name, or "" when none is close. A known name also counts as close by its last
// part alone, so "claude-opus-4-6" finds "anthropic/claude-opus-4-6". Of names that are equally close the shortest is taken:
// providers' own names before resellers' longer ones. The name itself is not what was meant.
func Nearest(name string, known []string) string {
	best, bestCost := "", 1+max(min(2, len(name)/2), len(name)/4)
	known = slices.SortedFunc(slices.Values(known), func(a, b string) int {
		return cmp.Or(len(a)-len(b), strings.Compare(a, b))
	})
	for _, k := range known {
		if k == name {
			continue // it was said, and was wrong
		}
		cost := min(distance(name, k), distance(name, k[strings.LastIndex(k, "/")+1:]))
		if cost < bestCost && cost < longest {
			best, bestCost = k, cost
		}
	}
	return best
}

// Within is the known name that takes the fewest edits, the first of several, or "" when all take more than edits.
func Within(name string, edits int, known iter.Seq[string]) string {
	best := ""
	for k := range known {
		if d := distance(name, k); d < longest && d <= edits {
			best, edits = k, d-1
		}
	}
	return best
}

func distance(a, b string) int {
	if len(a) > longest || len(b) > longest || len(a)-len(b) > uneven || len(b)-len(a) > uneven {
		return longest
	}
	return levenshtein.ComputeDistance(strings.ToLower(a), strings.ToLower(b))
}

package sandbox

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// differs compares a program's output with the right one as contest checkers do: by tokens, so that white space does
// not matter beyond separating them, and numbers where the right one has a decimal point with a tolerance of 1e-6
// (absolute or relative). It returns "" when they agree. written is how much the program wrote in all.
func differs(want, got string, written int) string {
	if written > len(got) {
		return fmt.Sprintf("the output has %d bytes, far more than expected", written)
	}
	w, g := strings.Fields(want), strings.Fields(got)
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] && !near(w[i], g[i]) {
			return fmt.Sprintf("token %d: expected %.100q, got %.100q", i+1, w[i], g[i])
		}
	}
	if len(w) != len(g) {
		return fmt.Sprintf("expected %d tokens, got %d", len(w), len(g))
	}
	return ""
}

func near(want, got string) bool {
	if !strings.Contains(want, ".") {
		return false
	}
	const tolerance = 1e-6
	w, err1 := strconv.ParseFloat(want, 64)
	g, err2 := strconv.ParseFloat(got, 64)
	if err1 != nil || err2 != nil || math.IsNaN(w) || math.IsInf(w, 0) {
		return false
	}
	return math.Abs(w-g) <= tolerance*max(1, math.Abs(w))
}

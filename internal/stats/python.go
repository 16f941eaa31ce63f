package stats

import (
	"math"
	"strconv"
	"strings"
)

// PyRound is Python's round(x, digits): the float nearest to x's exact value rounded half-even to that many decimals,
// so that PyRound(2.675, 2) is 2.67 and PyRound(0.125, 2) is 0.12. Fewer than 0 digits count as 0. NaN and the
// infinities stay what they are.
func PyRound(x float64, digits int) float64 {
	if !finite(x) {
		return x
	}
	// 1074 is the number of decimals of the smallest float; beyond it nothing is left to round.
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', min(max(digits, 0), 1074), 64), 64)
	if err != nil {
		return x
	}
	return r
}

// FormatPy is Python's repr(x): the shortest text that reads back as x, with ".0" where it would look like an integer,
// and an exponent below 1e-04 and from 1e+16 on. "nan", "inf" and "-inf" are the rest.
func FormatPy(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

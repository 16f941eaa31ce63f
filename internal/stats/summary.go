package stats

import (
	"math"
	"slices"
)

// Summary describes a list of values as verifiers' result block does.
type Summary struct {
	N int `json:"n"`
	// Mean is sum/len with Python's own summation.
	Mean float64 `json:"mean"`
	// Std is the population standard deviation (divisor N), as numpy.std gives it.
	Std float64 `json:"std"`
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// Summarize describes xs. Of no values, all fields are 0.
//
// Mean and Std are added up in the order that Python 3.12 and numpy use, so that they are equal to the last bit and
// print the same at any number of digits.
func Summarize(xs []float64) Summary {
	if len(xs) == 0 {
		return Summary{}
	}
	s := Summary{N: len(xs), Mean: Mean(xs), Min: slices.Min(xs), Max: slices.Max(xs)}
	n := float64(len(xs))
	center := pairwiseSum(xs) / n
	squares := make([]float64, len(xs))
	for i, x := range xs {
		d := x - center
		squares[i] = float64(d * d)
	}
	s.Std = math.Sqrt(pairwiseSum(squares) / n)
	return s
}

// Mean is Python's sum(xs)/len(xs); NaN of no values.
func Mean(xs []float64) float64 {
	return sum(xs) / float64(len(xs))
}

// sum is Python's built-in sum of floats since 3.12: Neumaier's compensated summation (Neumaier 1974, "Rundungsfehleranalyse
// einiger Verfahren zur Summation endlicher Summen").
func sum(xs []float64) float64 {
	total, lost := 0.0, 0.0
	for _, x := range xs {
		t := total + x
		if math.Abs(total) >= math.Abs(x) {
			lost += (total - t) + x
		} else {
			lost += (x - t) + total
		}
		total = t
	}
	if lost != 0 && !math.IsInf(lost, 0) && !math.IsNaN(lost) {
		return total + lost
	}
	return total
}

// pairwiseSum adds in numpy's order: one by one below 8 values, with eight running sums up to 128, and by halves above
// (Higham 1993, "The accuracy of floating point summation").
func pairwiseSum(xs []float64) float64 {
	const block = 128
	n := len(xs)
	switch {
	case n < 8:
		t := 0.0
		for _, x := range xs {
			t += x
		}
		return t
	case n <= block:
		r := [8]float64(xs[:8])
		i := 8
		for ; i < n-n%8; i += 8 {
			for j := range r {
				r[j] += xs[i+j]
			}
		}
		t := ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
		for ; i < n; i++ {
			t += xs[i]
		}
		return t
	}
	half := n / 2
	half -= half % 8
	return pairwiseSum(xs[:half]) + pairwiseSum(xs[half:])
}

// finite reports whether every value is a number.
func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

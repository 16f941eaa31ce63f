package stats

import (
	"cmp"
	"math"
	"slices"
)

// McNemarP holds the two-sided p-values of McNemar's test.
type McNemarP struct {
	// Exact is the binomial test on the tasks that changed: twice the smaller tail, at most 1 (McNemar 1947; exact form
	// in Fagerland, Lydersen and Laake 2013, "The McNemar test for binary matched-pairs data").
	Exact float64 `json:"exact"`
	// MidP counts the observed outcome half, which keeps the level better than Exact with few changes (the same paper).
	MidP float64 `json:"mid_p"`
}

// McNemar tests whether two pass/fail columns over the same tasks differ, from the number of tasks that only the second
// passed and that only the first passed. With no changes both p-values are 1. Negative counts are taken as 0.
func McNemar(improved, regressed int) McNemarP {
	improved, regressed = max(improved, 0), max(regressed, 0)
	n, k := improved+regressed, min(improved, regressed)
	if n == 0 {
		return McNemarP{Exact: 1, MidP: 1}
	}
	twice := 2 * binomialHalfCDF(k, n)
	return McNemarP{Exact: min(1, twice), MidP: min(1, twice-binomialHalf(k, n))}
}

// PairedProportionCI is an interval for the change in pass rate over the same n tasks, second minus first: the adjusted
// Wald interval of Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial proportions
// based on paired data", which keeps its level for small n. A level outside 0 to 1 counts as 0.95.
func PairedProportionCI(n, improved, regressed int, level float64) Interval {
	const method = "bonett-price"
	level = levelOr95(level)
	switch {
	case n <= 0:
		return noInterval(level, method, "no tasks")
	case improved < 0 || regressed < 0 || improved+regressed > n:
		return noInterval(level, method, "more changed than there are")
	}
	up, down := float64(improved+1)/float64(n+2), float64(regressed+1)/float64(n+2)
	d := up - down
	half := normalQuantile((1+level)/2) * math.Sqrt((up+down-d*d)/float64(n+2))
	return Interval{Lo: max(-1, d-half), Hi: min(1, d+half), Level: level, Method: method}
}

// Holm adjusts p-values for having made several tests, so that comparing each with alpha keeps the chance of any false
// alarm below alpha (Holm 1979, "A simple sequentially rejective multiple test procedure"). The result is in the order
// of ps. A NaN is a test that was not made: it stays NaN and does not count.
func Holm(ps []float64) []float64 {
	adjusted := slices.Clone(ps)
	var order []int
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	worst := 0.0
	for rank, i := range order {
		worst = max(worst, min(1, ps[i]*float64(len(order)-rank)))
		adjusted[i] = worst
	}
	return adjusted
}

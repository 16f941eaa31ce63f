package stats

import (
	"math"
	"sort"
)

// Power of the minimum detectable effects: the usual 80 % at a two-sided 5 %.
const (
	designPower = 0.8
	designAlpha = 0.05
)

// MostTasks is the largest number that TasksForMean answers; more is "not with any number of tasks".
const MostTasks = 10_000_000

// MDEMean is the minimum detectable effect of a paired comparison over n tasks whose differences have the standard
// deviation sd: a true mean difference that large is found significant (two-sided 5 %) 80 times in 100. It is
// (t_{.975} + t_{.8})·sd/√n with Student's t on n-1 degrees of freedom (Bloom 1995, "Minimum detectable effects"), which
// is within 1 % of the noncentral t from 6 tasks on (5 % below it at 3). False when n < 2 or sd is not a positive number.
func MDEMean(sd float64, n int) (float64, bool) {
	if n < 2 || !(sd > 0) || math.IsInf(sd, 0) {
		return 0, false
	}
	df := float64(n - 1)
	return (studentQuantile(designAlpha, df) + studentQuantile(2*(1-designPower), df)) * sd / math.Sqrt(float64(n)), true
}

// TasksForMean is the smallest number of tasks over which a true mean difference of diff is detectable (MDEMean). False
// when diff or sd is 0 or it would take more than MostTasks.
func TasksForMean(diff, sd float64) (int, bool) {
	if diff == 0 {
		return 0, false
	}
	n := 2 + sort.Search(MostTasks-1, func(i int) bool {
		mde, ok := MDEMean(sd, i+2)
		return ok && mde <= math.Abs(diff)
	})
	if n > MostTasks {
		return 0, false
	}
	return n, true
}

// MDEPassRate is the minimum detectable change in pass rate over n tasks of which a share discordance passes on one side
// only, at 80 % power and a two-sided 5 %: the d that solves d·√n = z_{.975}·√discordance + z_{.8}·√(discordance - d²)
// (Connor 1987, "Sample size for testing differences in proportions for the paired-sample design", after Miettinen
// 1968). False when even a change in one direction only, d = discordance, would be missed, or when there are no tasks or
// no discordance.
func MDEPassRate(n int, discordance float64) (float64, bool) {
	if n < 1 || !(discordance > 0 && discordance <= 1) {
		return 0, false
	}
	detectable := func(d float64) bool { return connor(d, discordance) <= float64(n) }
	if !detectable(discordance) {
		return 0, false
	}
	return bisect(0, discordance, detectable), true
}

// connor is the sample size of Connor 1987, not rounded.
func connor(diff, discordance float64) float64 {
	root := normalQuantile(1-designAlpha/2)*math.Sqrt(discordance) +
		normalQuantile(designPower)*math.Sqrt(max(0, discordance-diff*diff))
	return root * root / (diff * diff)
}

// bisect is the smallest value between lo and hi for which ok holds, given that it then holds for all larger ones.
func bisect(lo, hi float64, ok func(float64) bool) float64 {
	for range 60 {
		if mid := (lo + hi) / 2; ok(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

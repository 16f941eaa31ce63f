package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// How often a 95 % interval holds the truth, over seeded simulated evaluations.

func coverage(sets int, one func(rng *rand.Rand) (v Interval, truth float64)) float64 {
	rng := rand.New(rand.NewPCG(11, 12))
	hits := 0
	for range sets {
		if v, truth := one(rng); v.OK() && v.Lo <= truth && truth <= v.Hi {
			hits++
		}
	}
	return float64(hits) / float64(sets)
}

func binomial(rng *rand.Rand, n int, p float64) int {
	k := 0
	for range n {
		if rng.Float64() < p {
			k++
		}
	}
	return k
}

// simulate draws an evaluation with rewards between 0 and 1: each task has its own difficulty, with mean 1/2, and its
// rollouts are coins or noise around it.
func simulate(rng *rand.Rand, tasks, rollouts int) [][]float64 {
	groups := make([][]float64, tasks)
	for i := range groups {
		difficulty := rng.Float64()
		groups[i] = make([]float64, rollouts)
		for j := range groups[i] {
			if i%2 == 0 {
				groups[i][j] = min(1, max(0, difficulty+0.1*(rng.Float64()-0.5)))
			} else if rng.Float64() < difficulty {
				groups[i][j] = 1
			}
		}
	}
	return groups
}

func TestCoverage(t *testing.T) {
	mean := func(method string, tasks, rollouts int) func(*rand.Rand) (Interval, float64) {
		return func(rng *rand.Rand) (Interval, float64) {
			o := Unit(0.95)
			o.Method, o.Resamples, o.Seed = method, 400, rng.Uint64()
			return MeanCI(simulate(rng, tasks, rollouts), o), 0.5
		}
	}
	for _, tt := range []struct {
		name   string
		one    func(*rand.Rand) (Interval, float64)
		lo, hi float64
	}{
		{"Wilson, 164 tasks at .9", func(rng *rand.Rand) (Interval, float64) { return Wilson(binomial(rng, 164, 0.9), 164, 0.95), 0.9 }, 0.90, 0.98},
		{"Wilson, 12 tasks at .7", func(rng *rand.Rand) (Interval, float64) { return Wilson(binomial(rng, 12, 0.7), 12, 0.95), 0.7 }, 0.90, 0.98},
		{"cluster bootstrap, 40 tasks", mean(MethodBootstrap, 40, 4), 0.90, 0.98},
		{"cluster BCa, 40 tasks", mean(MethodBCa, 40, 4), 0.90, 0.98},
		{"cluster t, 40 tasks", mean(MethodT, 40, 4), 0.93, 0.98},
		{"cluster t, 10 tasks", mean(MethodT, 10, 4), 0.93, 0.98},
		{"cluster t, 3 tasks", mean(MethodT, 3, 4), 0.92, 1},
		{"paired proportions", func(rng *rand.Rand) (Interval, float64) {
			up, down := 0, 0
			for range 60 {
				switch x := rng.Float64(); {
				case x < 0.15:
					up++
				case x < 0.20:
					down++
				}
			}
			return PairedProportionCI(60, up, down, 0.95), 0.1
		}, 0.92, 0.99},
		// A defect found every time in 97 of 100 draws of a task: six draws are usually all 1.
		{"all equal", func(rng *rand.Rand) (Interval, float64) {
			xs := make([]float64, 6)
			for i := range xs {
				if rng.Float64() < 0.97 {
					xs[i] = 1
				}
			}
			return MeanCI(Singles(xs), Unit(0.95)), 0.97
		}, 0.95, 1},
	} {
		got := coverage(2000, tt.one)
		t.Logf("%-32s %.3f", tt.name, got)
		if got < tt.lo || got > tt.hi {
			t.Errorf("%s: %.3f, want %v to %v", tt.name, got, tt.lo, tt.hi)
		}
	}
	// The claim behind the default method: with few tasks the bootstrap is too narrow.
	few := coverage(2000, mean(MethodBootstrap, 5, 4))
	t.Logf("%-32s %.3f", "cluster bootstrap, 5 tasks", few)
	if few > 0.90 {
		t.Errorf("the bootstrap covers %.3f with 5 tasks: MethodT need not be the default", few)
	}
}

// Where there is no difference, a test at 5 % alarms in about 5 % of the comparisons; where there is the detectable one,
// in about 80 %.
func TestAlarmRates(t *testing.T) {
	rates := func(shift, sd float64, n int) (t1, flip float64) {
		rng := rand.New(rand.NewPCG(5, 6))
		const sets = 1000
		for range sets {
			diffs := make([]float64, n)
			for i := range diffs {
				diffs[i] = shift + sd*rng.NormFloat64()
			}
			if PairedT(diffs).P < 0.05 {
				t1++
			}
			if SignFlip(diffs, 200, rng.Uint64()) < 0.05 {
				flip++
			}
		}
		return t1 / sets, flip / sets
	}
	for _, n := range []int{8, 30} {
		mde, _ := MDEMean(0.2, n)
		if a, b := rates(0, 0.2, n); math.Abs(a-0.05) > 0.02 || math.Abs(b-0.05) > 0.02 {
			t.Errorf("%d tasks, no difference: t test %v, sign flip %v", n, a, b)
		}
		if a, b := rates(mde, 0.2, n); math.Abs(a-0.8) > 0.04 || math.Abs(b-0.8) > 0.06 {
			t.Errorf("%d tasks, detectable difference: t test %v, sign flip %v", n, a, b)
		}
	}
}

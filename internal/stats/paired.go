package stats

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Errors of the paired tests.
var (
	// ErrUnpaired is two lists of unequal length.
	ErrUnpaired = errors.New("the two sides do not have the same number of tasks")
	// ErrNotFinite is a NaN or an infinity among the values.
	ErrNotFinite = errors.New("a value is not a number")
)

// TTest is the outcome of a paired t test.
type TTest struct {
	T  float64 `json:"t"`
	DF int     `json:"df"`
	// P is two-sided.
	P float64 `json:"p"`
	// OK is false if there is no test: fewer than two tasks, or differences that are all equal.
	OK bool `json:"ok"`
}

// PairedT tests whether the mean of the differences is 0 (Student 1908, "The probable error of a mean").
func PairedT(diffs []float64) TTest {
	n := len(diffs)
	sd, ok := sampleSD(diffs)
	if !ok || sd == 0 {
		return TTest{P: 1, DF: max(n-1, 0)}
	}
	t := Mean(diffs) / (sd / math.Sqrt(float64(n)))
	return TTest{T: t, DF: n - 1, P: studentTail(t, float64(n-1)), OK: true}
}

// Differences is after minus before, task by task.
func Differences(before, after []float64) ([]float64, error) {
	if len(before) != len(after) {
		return nil, ErrUnpaired
	}
	diffs := make([]float64, len(before))
	for i := range before {
		diffs[i] = after[i] - before[i]
	}
	if !finite(diffs...) {
		return nil, ErrNotFinite
	}
	return diffs, nil
}

// pairedMeans are the mean scores of the tasks that have some on both sides.
func pairedMeans(before, after [][]float64) (was, is []float64, err error) {
	if len(before) != len(after) {
		return nil, nil, ErrUnpaired
	}
	for i := range before {
		if len(before[i]) > 0 && len(after[i]) > 0 {
			was, is = append(was, Mean(before[i])), append(is, Mean(after[i]))
		}
	}
	return was, is, nil
}

// exactFlips is the most differences whose signs are all flipped: 2^20 sums take some milliseconds.
const exactFlips = 20

// SignFlip is the two-sided p-value of the permutation test for paired data: how often the mean difference is at least
// as large when each task's sign is a coin's (Fisher 1935, "The design of experiments", 21). It is exact up to 20
// differences that are not 0; beyond, it is estimated from resamples draws (at most 0 means 10,000), counting the
// observed one so that it is never 0 (Phipson and Smyth 2010, "Permutation p-values should never be zero").
//
// It assumes no distribution, but n tasks cannot give less than 2/2^n. Of no differences, and where one is NaN, it is 1.
func SignFlip(diffs []float64, resamples int, seed uint64) float64 {
	if !finite(diffs...) {
		return 1
	}
	sizes := make([]float64, 0, len(diffs))
	observed, scale := 0.0, 0.0
	for _, d := range diffs {
		if d != 0 {
			sizes = append(sizes, math.Abs(d))
			observed += d
			scale += math.Abs(d)
		}
	}
	if len(sizes) == 0 {
		return 1
	}
	// Sums of the same values in another order differ in their last bits, and must count as equal.
	bar := math.Abs(observed) - 1e-9*scale
	if len(sizes) <= exactFlips {
		return exactSignFlip(sizes, scale, bar)
	}
	if resamples <= 0 {
		resamples = defaultResamples
	}
	rng := rand.New(rand.NewPCG(seed, 0x666c697073696768))
	extreme := 1
	for range resamples {
		total := 0.0
		var coins uint64
		for i, s := range sizes {
			if i%64 == 0 {
				coins = rng.Uint64()
			}
			if coins&1 == 0 {
				total += s
			} else {
				total -= s
			}
			coins >>= 1
		}
		if math.Abs(total) >= bar {
			extreme++
		}
	}
	return float64(extreme) / float64(resamples+1)
}

// exactSignFlip walks all sign patterns in Gray code, which flips one sign a step.
func exactSignFlip(sizes []float64, scale, bar float64) float64 {
	total, extreme := scale, 0
	negative := make([]bool, len(sizes))
	patterns := uint64(1) << len(sizes)
	for step := uint64(1); ; step++ {
		if math.Abs(total) >= bar {
			extreme++
		}
		if step == patterns {
			return float64(extreme) / float64(patterns)
		}
		i := bits.TrailingZeros64(step)
		if negative[i] {
			total += 2 * sizes[i]
		} else {
			total -= 2 * sizes[i]
		}
		negative[i] = !negative[i]
	}
}

// sampleSD is the standard deviation with divisor n-1, and whether there is one. Differences that are equal but for
// rounding have a deviation of 0.
func sampleSD(xs []float64) (float64, bool) {
	if len(xs) < 2 || !finite(xs...) {
		return 0, false
	}
	mean := Mean(xs)
	squares, scale := 0.0, 0.0
	for _, x := range xs {
		d := x - mean
		squares += d * d
		scale = max(scale, math.Abs(x))
	}
	sd := math.Sqrt(squares / float64(len(xs)-1))
	if sd <= 1e-12*scale {
		return 0, true
	}
	return sd, true
}

package stats

import (
	"errors"
	"math"
	"math/rand/v2"
)

// ErrNoTrend is a trend over fewer than two different sizes.
var ErrNoTrend = errors.New("a trend needs two different sizes or more")

// TrendOptions configures Trend.
type TrendOptions struct {
	// Per is the unit of size that the slope is given for, such as 1,000 pairs. Defaults to 1.
	Per float64
	// Level is the confidence. Defaults to 0.95.
	Level float64
	// Resamples is the number of bootstrap samples and of permutations. Defaults to 10,000.
	Resamples int
	// Seed seeds both. Defaults to 0, a seed like any other.
	Seed uint64
}

// TrendLine is a straight line through the pass rates of several conditions, and how sure its slope is.
type TrendLine struct {
	// Slope is the change in pass rate for each Per of size, and At0 the line's pass rate at size 0.
	Slope float64 `json:"slope"`
	At0   float64 `json:"at_0"`
	// CI is the interval of Slope.
	CI Interval `json:"ci"`
	// P is the p-value of the permutation test.
	P float64 `json:"p"`
	// Tasks and Points are how many tasks and conditions it rests on.
	Tasks  int `json:"tasks"`
	Points int `json:"points"`
}

// Trend fits pass rates against size, where scores[c][t] is the score between 0 and 1 of task t in the condition of size
// sizes[c]; every condition has all tasks.
//
// The slope is least squares through the conditions' pass rates. As each condition has the same tasks, it is the mean over
// tasks of each task's own slope, b_t = Σ_c w_c·y_ct with w_c = (x_c - x̄)/Σ(x - x̄)² (a linear contrast in a
// repeated-measures design; Winer 1971, "Statistical principles in experimental design", 4.4). So the task is the
// cluster: CI resamples tasks with all their conditions (percentile bootstrap), which keeps that hard tasks are hard in
// every condition. P is how often the slope is at least as steep, either way, when each task's scores are shuffled over
// the conditions, counting the observed order (Phipson and Smyth 2010).
//
// Both speak of other tasks for the same models. How much another training run of the same size would differ is not in
// the data unless a size stands there several times.
//
// The error is ErrUnpaired, ErrNotFinite or ErrNoTrend.
func Trend(sizes []float64, scores [][]float64, o TrendOptions) (TrendLine, error) {
	if len(sizes) != len(scores) || len(sizes) == 0 {
		return TrendLine{}, ErrUnpaired
	}
	tasks := len(scores[0])
	for _, s := range scores {
		if len(s) != tasks {
			return TrendLine{}, ErrUnpaired
		}
		if !finite(s...) {
			return TrendLine{}, ErrNotFinite
		}
	}
	if !finite(sizes...) {
		return TrendLine{}, ErrNotFinite
	}
	per := o.Per
	if per <= 0 {
		per = 1
	}
	weights, steepest, err := contrast(sizes, per)
	if err != nil {
		return TrendLine{}, err
	}
	slopes := make([]float64, tasks)
	total := 0.0
	for t := range tasks {
		for c, w := range weights {
			slopes[t] += w * scores[c][t]
			total += scores[c][t]
		}
		if out := math.Abs(slopes[t]) / steepest; out > 1 && out < 1+1e-9 { // but for rounding, it is the steepest
			slopes[t] = math.Copysign(steepest, slopes[t])
		}
	}
	line := TrendLine{Tasks: tasks, Points: len(sizes), Slope: Mean(slopes)}
	line.At0 = total/float64(max(1, tasks*len(sizes))) - line.Slope*Mean(sizes)/per
	line.CI = MeanCI(Singles(slopes), MeanOptions{Level: o.Level, Method: MethodBootstrap, Min: -steepest, Max: steepest,
		Resamples: o.Resamples, Seed: o.Seed})
	line.P = shuffled(weights, scores, o)
	return line, nil
}

// contrast is each size's weight in the slope, and the steepest slope that scores between 0 and 1 can have.
func contrast(sizes []float64, per float64) (weights []float64, steepest float64, err error) {
	center, squares := Mean(sizes), 0.0
	for _, x := range sizes {
		squares += (x - center) * (x - center)
	}
	if !(squares > 0) || math.IsInf(squares, 0) {
		return nil, 0, ErrNoTrend
	}
	for _, x := range sizes {
		w := (x - center) / squares * per
		weights = append(weights, w)
		steepest += max(0, w)
	}
	return weights, steepest, nil
}

// shuffled is the p-value of Trend.
func shuffled(weights []float64, scores [][]float64, o TrendOptions) float64 {
	var moving [][]float64 // tasks that do not score the same everywhere
	observed, scale := 0.0, 0.0
	for t := range scores[0] {
		row, same := make([]float64, len(weights)), true
		for c := range weights {
			row[c] = scores[c][t]
			same = same && row[c] == row[0]
		}
		if same {
			continue
		}
		for c, w := range weights {
			observed += w * row[c]
			scale += math.Abs(w * row[c])
		}
		moving = append(moving, row)
	}
	if len(moving) == 0 {
		return 1
	}
	n := o.Resamples
	if n <= 0 {
		n = defaultResamples
	}
	bar := math.Abs(observed) - 1e-9*scale
	rng := rand.New(rand.NewPCG(o.Seed, 0x7472656e64))
	extreme := 1
	for range n {
		total := 0.0
		for _, row := range moving {
			rng.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
			for c, w := range weights {
				total += w * row[c]
			}
		}
		if math.Abs(total) >= bar {
			extreme++
		}
	}
	return float64(extreme) / float64(n+1)
}

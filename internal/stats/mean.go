package stats

import (
	"cmp"
	"math"
	"slices"
)

// Methods of MeanCI.
const (
	// MethodT is the cluster-robust t interval.
	MethodT = "t"
	// MethodBootstrap is the percentile cluster bootstrap.
	MethodBootstrap = "bootstrap"
	// MethodBCa is the bias-corrected and accelerated cluster bootstrap.
	MethodBCa = "bca"
)

// MeanOptions configures MeanCI.
type MeanOptions struct {
	// Level is the confidence. Defaults to 0.95.
	Level float64
	// Method is MethodT, MethodBootstrap or MethodBCa. Defaults to MethodT, which keeps its level with a handful of
	// tasks, where a bootstrap is too narrow.
	Method string
	// Min and Max bound the variable: no interval leaves them. Both 0 means that there are no bounds, which turns off
	// the answer for values that are all equal. Defaults to no bounds.
	Min, Max float64
	// Resamples is the number of bootstrap samples. Defaults to 10,000.
	Resamples int
	// Seed seeds the bootstrap. Defaults to 0, a seed like any other.
	Seed uint64
}

// Unit is MeanOptions for a variable between 0 and 1, such as a reward or a pass.
func Unit(level float64) MeanOptions { return MeanOptions{Level: level, Max: 1} }

func (o MeanOptions) bounded() bool { return o.Min < o.Max }

// cluster is what an interval needs to know of the rollouts of one task.
type cluster struct{ sum, n float64 }

// MeanCI is an interval for the mean of all values, where groups[i] holds the rollouts of task i. Tasks are taken as
// drawn at random from more tasks of their kind; empty groups do not count. For independent values, give each its own
// group ([Singles]).
//
// MethodT uses the cluster-robust standard error of Miller 2024 (arXiv:2411.00640, eq. 4), which counts rollouts of one
// task as one observation as far as they agree,
//
//	SE² = G/(G-1) · Σ_g (Σ_i (x_gi - mean))² / N²
//
// with the small-sample factor and Student's t on G-1 degrees of freedom (Cameron and Miller 2015, "A practitioner's
// guide to cluster-robust inference"), for Miller's normal quantile is too narrow below some 40 tasks.
//
// When every task has the same mean v, there is no variation to measure. In a bounded variable the interval is then
// Method "all-equal": with p = (1-Level)/2 to the power 1/G, the weight of v is at least p (else G draws would rarely
// all be v), and the rest may lie anywhere between the bounds, so the mean is between v·p + Min·(1-p) and
// v·p + Max·(1-p). For six times 1.0 that is [0.541, 1], the interval of Clopper and Pearson. Without bounds there is no
// interval. One value that differs ends this caution: nearly equal values can give a very narrow interval.
//
// There is none either for no values, one task, and values that are NaN, infinite or outside the bounds.
func MeanCI(groups [][]float64, o MeanOptions) Interval {
	level := levelOr95(o.Level)
	method := cmp.Or(o.Method, MethodT)
	clusters, mean, why := gather(groups, o)
	if why != "" {
		return noInterval(level, method, why)
	}
	if len(clusters) < 2 {
		return noInterval(level, method, "one task")
	}
	if equalMeans(clusters, o) {
		return allEqual(clusters, level, method, o)
	}
	v := Interval{Level: level, Method: method}
	switch method {
	case MethodT:
		se := clusterSE(clusters, mean)
		half := se * studentQuantile(1-level, float64(len(clusters)-1))
		v.Lo, v.Hi = mean-half, mean+half
	case MethodBootstrap, MethodBCa:
		v.Lo, v.Hi = bootstrap(clusters, mean, level, o)
	default:
		return noInterval(level, method, "unknown method "+method)
	}
	if !(v.Lo < v.Hi) { // one resample, or values whose squares are too small for a float
		return noInterval(level, method, "no variation was left to measure")
	}
	if o.bounded() {
		v.Lo, v.Hi = max(v.Lo, o.Min), min(v.Hi, o.Max)
	}
	return v
}

// PassCI is the interval of the share that passed, at 95%, from each task's verdicts as 1 and 0: Wilson's where every task
// has one, else that of the mean with tasks as clusters. Tasks without a verdict do not count.
func PassCI(tasks [][]float64) Interval {
	tasks = slices.DeleteFunc(slices.Clone(tasks), func(t []float64) bool { return len(t) == 0 })
	means := TaskMeans(tasks)
	if slices.ContainsFunc(tasks, func(t []float64) bool { return len(t) > 1 }) {
		return MeanCI(Singles(means), Unit(0.95))
	}
	passed := 0
	for _, m := range means {
		passed += int(m)
	}
	return Wilson(passed, len(tasks), 0.95)
}

// Singles puts each value in its own group.
func Singles(xs []float64) [][]float64 {
	groups := make([][]float64, len(xs))
	for i := range xs {
		groups[i] = xs[i : i+1 : i+1]
	}
	return groups
}

// TaskMeans is the mean of each group; NaN for an empty one.
func TaskMeans(groups [][]float64) []float64 {
	means := make([]float64, len(groups))
	for i, g := range groups {
		means[i] = Mean(g)
	}
	return means
}

func gather(groups [][]float64, o MeanOptions) (clusters []cluster, mean float64, why string) {
	clusters = make([]cluster, 0, len(groups))
	total, n := 0.0, 0.0
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		if !finite(g...) {
			return nil, 0, "a value is not a number"
		}
		if o.bounded() {
			for _, x := range g {
				if x < o.Min || x > o.Max {
					return nil, 0, "a value is out of bounds"
				}
			}
		}
		c := cluster{sum(g), float64(len(g))}
		clusters = append(clusters, c)
		total += c.sum
		n += c.n
	}
	if n == 0 {
		return nil, 0, "no values"
	}
	return clusters, total / n, ""
}

func clusterSE(clusters []cluster, mean float64) float64 {
	squares, n := 0.0, 0.0
	for _, c := range clusters {
		d := c.sum - c.n*mean
		squares += d * d
		n += c.n
	}
	g := float64(len(clusters))
	return math.Sqrt(g/(g-1)*squares) / n
}

// equalMeans reports whether the clusters' means differ by no more than adding up in floats does.
func equalMeans(clusters []cluster, o MeanOptions) bool {
	lo, hi, scale := math.Inf(1), math.Inf(-1), o.Max-o.Min
	for _, c := range clusters {
		m := c.sum / c.n
		lo, hi, scale = min(lo, m), max(hi, m), max(scale, math.Abs(m))
	}
	return hi-lo <= 1e-12*scale
}

func allEqual(clusters []cluster, level float64, method string, o MeanOptions) Interval {
	if !o.bounded() {
		return noInterval(level, method, "all tasks scored the same")
	}
	v := clusters[0].sum / clusters[0].n
	p := math.Pow((1-level)/2, 1/float64(len(clusters)))
	return Interval{
		Lo:     max(o.Min, v*p+o.Min*(1-p)),
		Hi:     min(o.Max, v*p+o.Max*(1-p)),
		Level:  level,
		Method: "all-equal",
	}
}

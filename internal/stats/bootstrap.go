package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

const defaultResamples = 10_000

// bootstrap draws clusters with replacement and reads the interval off the means of the samples (Efron and Tibshirani
// 1993, "An introduction to the bootstrap", 13.3; whole clusters as in Cameron, Gelbach and Miller 2008). MethodBCa
// moves the two quantiles for bias and skewness.
func bootstrap(clusters []cluster, mean, level float64, o MeanOptions) (lo, hi float64) {
	n := o.Resamples
	if n <= 0 {
		n = defaultResamples
	}
	// The second word only keeps this stream apart from other users of the same seed.
	rng := rand.New(rand.NewPCG(o.Seed, 0x626f6f7473747261))
	means := make([]float64, n)
	for i := range means {
		total, count := 0.0, 0.0
		for range clusters {
			c := clusters[rng.IntN(len(clusters))]
			total += c.sum
			count += c.n
		}
		means[i] = total / count
	}
	slices.Sort(means)
	a, b := (1-level)/2, (1+level)/2
	if o.Method == MethodBCa {
		a, b = bcaLevels(clusters, means, mean, level)
	}
	return quantile(means, a), quantile(means, b)
}

// bcaLevels are the two probabilities that BCa reads instead of (1-level)/2 and (1+level)/2 (Efron 1987, "Better
// bootstrap confidence intervals"): the bias from the share of samples below the mean, ties counted half, and the
// acceleration from leaving out one cluster at a time.
func bcaLevels(clusters []cluster, sorted []float64, mean, level float64) (lo, hi float64) {
	tolerance := 1e-12 * max(math.Abs(sorted[0]), math.Abs(sorted[len(sorted)-1]))
	below, _ := slices.BinarySearch(sorted, mean-tolerance)
	upTo, _ := slices.BinarySearch(sorted, mean+tolerance)
	share := (float64(below) + float64(upTo)) / 2 / float64(len(sorted))
	// A mean outside all samples would put the bias at infinity.
	half := 0.5 / float64(len(sorted))
	bias := normalQuantile(min(max(share, half), 1-half))

	total, count := 0.0, 0.0
	for _, c := range clusters {
		total += c.sum
		count += c.n
	}
	left := make([]float64, len(clusters))
	for i, c := range clusters {
		left[i] = (total - c.sum) / (count - c.n)
	}
	center := Mean(left)
	cubes, squares := 0.0, 0.0
	for _, x := range left {
		d := center - x
		cubes += d * d * d
		squares += d * d
	}
	acceleration := 0.0
	if squares > 0 {
		acceleration = cubes / (6 * math.Pow(squares, 1.5))
	}
	at := func(p float64) float64 {
		z := bias + normalQuantile(p)
		scale := 1 - acceleration*z
		if scale <= 0 { // past the pole: all the way to z's side
			return normalCDF(math.Copysign(math.Inf(1), z))
		}
		return normalCDF(bias + z/scale)
	}
	return at((1 - level) / 2), at((1 + level) / 2)
}

// quantile interpolates linearly between the values of a sorted list (type 7 of Hyndman and Fan 1996, numpy's default).
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(math.Floor(at))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

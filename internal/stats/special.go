package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// normalQuantile is the z below which a standard normal variable falls with probability p.
func normalQuantile(p float64) float64 {
	switch {
	case p <= 0:
		return math.Inf(-1)
	case p >= 1:
		return math.Inf(1)
	}
	return mathext.NormalQuantile(p)
}

// normalCDF is the probability that a standard normal variable falls below z.
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// studentTail is the two-sided tail of Student's t: P(|T| >= |t|) = I_x(df/2, 1/2) with x = df/(df+t²) (Abramowitz and
// Stegun 26.5.27).
func studentTail(t, df float64) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
}

// studentQuantile is the t that |T| exceeds with probability tail, the inverse of studentTail.
func studentQuantile(tail, df float64) float64 {
	x := mathext.InvRegIncBeta(df/2, 0.5, tail)
	return math.Sqrt(df * (1 - x) / x)
}

// binomialHalfCDF is P(X <= k) of X ~ Binomial(n, 1/2): I_{1/2}(n-k, k+1) (Abramowitz and Stegun 26.5.24).
func binomialHalfCDF(k, n int) float64 {
	if k < 0 {
		return 0
	}
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}

// binomialHalf is P(X = k) of X ~ Binomial(n, 1/2).
func binomialHalf(k, n int) float64 {
	return math.Exp(-float64(n)*math.Ln2 - math.Log(float64(n+1)) - mathext.Lbeta(float64(k+1), float64(n-k+1)))
}

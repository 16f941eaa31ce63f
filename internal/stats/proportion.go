package stats

import "math"

// Wilson is the score interval of a proportion, passed out of n independent trials (Wilson 1927, "Probable inference,
// the law of succession, and statistical inference"; recommended for any n by Brown, Cai and DasGupta 2001). A level
// outside 0 to 1 counts as 0.95.
func Wilson(passed, n int, level float64) Interval {
	level = levelOr95(level)
	if why := checkCount(passed, n); why != "" {
		return noInterval(level, "wilson", why)
	}
	z := normalQuantile((1 + level) / 2)
	N := float64(n)
	p := float64(passed) / N
	center := (p + z*z/(2*N)) / (1 + z*z/N)
	half := z / (1 + z*z/N) * math.Sqrt(p*(1-p)/N+z*z/(4*N*N))
	v := Interval{Lo: max(0, center-half), Hi: min(1, center+half), Level: level, Method: "wilson"}
	// Rounding must not move the ends that the formula puts at 0 and 1 exactly.
	if passed == 0 {
		v.Lo = 0
	}
	if passed == n {
		v.Hi = 1
	}
	return v
}

func checkCount(passed, n int) string {
	switch {
	case n <= 0:
		return "no samples"
	case passed < 0 || passed > n:
		return "more passed than there are"
	}
	return ""
}

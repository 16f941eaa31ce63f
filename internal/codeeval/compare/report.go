package compare

import "github.com/deeprepo/deeprepo/internal/stats"

// Tests of a Comparison.
const (
	TestMcNemar  = "mcnemar-exact"
	TestSignFlip = "sign-flip"
)

func ends(v stats.Interval, scale float64) *[2]float64 {
	if !v.OK() {
		return nil
	}
	return &[2]float64{scale * v.Lo, scale * v.Hi}
}

package grpo

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var approx = cmpopts.EquateApprox(0, 1e-12)

func TestAdvantages(t *testing.T) {
	// A group of four with rewards 0, 0, .4, .8: the mean is .3, the variance (.09+.09+.01+.25)/4 = .11.
	std := math.Sqrt(.11)
	for _, c := range []struct {
		name, kind string
		rewards    []float64
		want       []float64
	}{
		{"std", AdvantageStd, []float64{0, 0, .4, .8}, []float64{-.3 / (std + .02), -.3 / (std + .02), .1 / (std + .02), .5 / (std + .02)}},
		{"none", AdvantageNone, []float64{0, 0, .4, .8}, []float64{-.3, -.3, .1, .5}},
		{"drgrpo", AdvantageDrGRPO, []float64{0, 0, .4, .8}, []float64{-.3, -.3, .1, .5}},
		{"all failed", AdvantageStd, []float64{0, 0, 0}, []float64{0, 0, 0}},
		{"all succeeded", AdvantageNone, []float64{1, 1, 1}, []float64{0, 0, 0}},
		{"a hair apart", AdvantageStd, []float64{.5, .5 + 1e-5}, []float64{0, 0}},
		{"alone", AdvantageNone, []float64{.7}, []float64{0}},
		{"nobody", AdvantageStd, nil, []float64{}},
		{"no number", AdvantageStd, []float64{1, math.NaN()}, []float64{0, 0}},
	} {
		if d := cmp.Diff(c.want, advantages(c.rewards, c.kind), approx); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestAdvantagesBalance has every group's advantages cancel out, and keep the order of the rewards.
func TestAdvantagesBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rewards := rapid.SliceOfN(rapid.Float64Range(0, 1), 2, 16).Draw(t, "rewards")
		a := advantages(rewards, rapid.SampledFrom(Advantages()).Draw(t, "kind"))
		sum := 0.0
		for i := range a {
			sum += a[i]
			for j := range a {
				if (rewards[i]-rewards[j])*(a[i]-a[j]) < 0 {
					t.Fatalf("rewards %v, %v and advantages %v, %v", rewards[i], rewards[j], a[i], a[j])
				}
			}
		}
		if math.Abs(sum) > 1e-9 {
			t.Fatalf("the sum is %v", sum)
		}
	})
}

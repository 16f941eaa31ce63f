package grpo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// TestClip has a ratio of 1.5, 1, .5 and advantages of both signs under a clip of .2 below and .28 above.
func TestClip(t *testing.T) {
	o := objective{low: .2, high: .28}
	for _, c := range []struct {
		name             string
		ratio, advantage float64
		loss, dlogp      float64
		clipped          bool
	}{
		{"on policy, good", 1, 2, -2, -2, false},
		{"on policy, bad", 1, -2, 2, 2, false},
		{"good and likelier, enough", 1.5, 2, -2.56, 0, true}, // 1.28 x 2: no further
		{"good and likelier, a little", 1.2, 2, -2.4, -2.4, false},
		{"good and less likely", .5, 2, -1, -1, false}, // it is brought back
		{"bad and less likely, enough", .5, -2, 1.6, 0, true},
		{"bad and less likely, a little", .9, -2, 1.8, 1.8, false},
		{"bad and likelier", 1.5, -2, 3, 3, false}, // the bound would be the smaller loss
		{"neither", 1.5, 0, 0, 0, false},
	} {
		old := -1.3
		got := o.token(old+math.Log(c.ratio), old, 0, 0, c.advantage)
		if !near(got.loss, c.loss) || !near(got.dlogp, c.dlogp) || got.clipped != c.clipped {
			t.Errorf("%s: loss %v, dlogp %v, clipped %v", c.name, got.loss, got.dlogp, got.clipped)
		}
	}
}

// TestK3 has the estimate by hand, and its mean over a whole distribution equal to the divergence.
func TestK3(t *testing.T) {
	o := objective{kl: 1}
	// ref twice as likely: 2 - ln 2 - 1; its derivative is 1 - 2.
	if got := o.token(-2, -2, -2+math.Ln2, 0, 0); !near(got.kl, 1-math.Ln2) || !near(got.loss, 1-math.Ln2) || !near(got.dlogp, -1) {
		t.Errorf("%+v", got)
	}
	if got := o.token(-2, -2, -2, 0, 0); got.kl != 0 || got.dlogp != 0 {
		t.Errorf("equal: %+v", got)
	}
	p, q := []float64{.5, .3, .2}, []float64{.25, .25, .5}
	estimate, truth := 0.0, 0.0
	for i := range p {
		estimate += p[i] * o.token(math.Log(p[i]), math.Log(p[i]), math.Log(q[i]), 0, 0).kl
		truth += p[i] * math.Log(p[i]/q[i])
	}
	if !near(estimate, truth) {
		t.Errorf("%v, want %v", estimate, truth)
	}
}

func TestEntropyBonus(t *testing.T) {
	if got := (objective{entropy: .01}).token(-1, -1, 0, 2.5, 0); !near(got.loss, -.025) || got.dent != -.01 {
		t.Errorf("%+v", got)
	}
}

// TestSlope compares every derivative with a difference, away from the corners of the clip.
func TestSlope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := objective{low: .2, high: .28, kl: rapid.Float64Range(0, .1).Draw(t, "kl"), entropy: .01}
		logp, old, ref := rapid.Float64Range(-6, 0).Draw(t, "logp"), rapid.Float64Range(-6, 0).Draw(t, "old"),
			rapid.Float64Range(-6, 0).Draw(t, "ref")
		a := rapid.Float64Range(-3, 3).Draw(t, "advantage")
		const h = 1e-6
		if r := math.Exp(logp - old); math.Abs(r-.8) < 1e-4 || math.Abs(r-1.28) < 1e-4 {
			t.Skip("a corner")
		}
		slope := (o.token(logp+h, old, ref, 1, a).loss - o.token(logp-h, old, ref, 1, a).loss) / (2 * h)
		if got := o.token(logp, old, ref, 1, a).dlogp; math.Abs(got-slope) > 1e-4*(1+math.Abs(slope)) {
			t.Fatalf("dlogp %v, slope %v", got, slope)
		}
	})
}

// TestFarAway has numbers that would overflow stay numbers.
func TestFarAway(t *testing.T) {
	got := objective{low: .2, high: .28, kl: .01}.token(0, -2000, 3000, 0, -1)
	if math.IsInf(got.loss, 0) || math.IsNaN(got.loss) || math.IsInf(got.dlogp, 0) {
		t.Errorf("%+v", got)
	}
}

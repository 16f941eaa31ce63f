package dpo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestOfPair is worked by hand.
func TestOfPair(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, c := range []struct {
		name             string
		objective        objective
		chosen, rejected sums
		want             value
	}{
		{"the reference itself has the loss ln 2", objective{beta: 0.1}, sums{-20, -20, 5}, sums{-50, -50, 10},
			value{loss: math.Ln2, preference: math.Ln2, dChosen: -0.05, dRejected: 0.05}},
		// Gains of +2 and -3 over the reference: a margin of 0.5, a pull of 0.1 sigmoid(-0.5) = 0.037754.
		{"sums", objective{beta: 0.1}, sums{-18, -20, 5}, sums{-53, -50, 10},
			value{loss: 0.4740769841801067, preference: 0.4740769841801067, margin: 0.5, dChosen: -0.03775406687981455, dRejected: 0.03775406687981455}},
		// The same as means over 5 and 10 tokens: +0.4 and -0.3, times 5 is 3.5.
		{"means", objective{beta: 5, norm: NormLength}, sums{-18, -20, 5}, sums{-53, -50, 10},
			value{loss: math.Log1p(math.Exp(-3.5)), preference: math.Log1p(math.Exp(-3.5)), margin: 3.5, dChosen: -5 * sigmoid(-3.5) / 5, dRejected: 5 * sigmoid(-3.5) / 10}},
		// A weight of 2 on the mean negative log-probability, 18/5 = 3.6.
		{"sft", objective{beta: 0.1, sft: 2}, sums{-18, -20, 5}, sums{-53, -50, 10},
			value{loss: 0.4740769841801067 + 7.2, preference: 0.4740769841801067, margin: 0.5, dChosen: -0.03775406687981455 - 0.4, dRejected: 0.03775406687981455}},
		{"far apart the wrong way", objective{beta: 1}, sums{-2000, 0, 5}, sums{0, 0, 10}, value{loss: 2000, preference: 2000, margin: -2000, dChosen: -1, dRejected: 1}},
		{"far apart the right way", objective{beta: 1}, sums{0, 0, 5}, sums{-2000, 0, 10}, value{margin: 2000}},
	} {
		got := c.objective.ofPair(c.chosen, c.rejected)
		for name, v := range map[string][2]float64{"loss": {got.loss, c.want.loss}, "preference": {got.preference, c.want.preference},
			"margin":    {got.margin, c.want.margin},
			"by chosen": {got.dChosen, c.want.dChosen}, "by rejected": {got.dRejected, c.want.dRejected}} {
			if !(math.Abs(v[0]-v[1]) < 1e-9) {
				t.Errorf("%s: %s %v, want %v", c.name, name, v[0], v[1])
			}
		}
	}
}

// TestSlopeOfPair compares the derivatives with finite differences.
func TestSlopeOfPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logp := rapid.Float64Range(-100, 0)
		o := objective{beta: rapid.Float64Range(0.01, 1).Draw(t, "beta"), norm: rapid.SampledFrom(Norms()).Draw(t, "norm"),
			sft: rapid.Float64Range(0, 2).Draw(t, "sft")}
		c := sums{logp.Draw(t, "chosen"), logp.Draw(t, "its reference"), rapid.IntRange(1, 50).Draw(t, "tokens")}
		r := sums{logp.Draw(t, "rejected"), logp.Draw(t, "its reference"), rapid.IntRange(1, 50).Draw(t, "tokens")}
		const h = 1e-5
		at := func(dc, dr float64) float64 {
			x, y := c, r
			x.policy, y.policy = c.policy+dc, r.policy+dr
			return o.ofPair(x, y).loss
		}
		got := o.ofPair(c, r)
		if want := (at(h, 0) - at(-h, 0)) / (2 * h); math.Abs(got.dChosen-want) > 1e-5 {
			t.Fatalf("by chosen %v, by differences %v", got.dChosen, want)
		}
		if want := (at(0, h) - at(0, -h)) / (2 * h); math.Abs(got.dRejected-want) > 1e-5 {
			t.Fatalf("by rejected %v, by differences %v", got.dRejected, want)
		}
	})
}

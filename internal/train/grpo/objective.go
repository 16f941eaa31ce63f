package grpo

import "math"

// objective is the loss of one token that the policy wrote. With the ratio r = exp(logp - old), the advantage A, the
// reference's log-probability ref and the entropy H where the token was drawn,
//
//	loss = -min(r A, clip(r, 1 - low, 1 + high) A) + kl (exp(ref - logp) - (ref - logp) - 1) - entropy H
//
// The middle term is Schulman's k3: unbiased for the divergence from the policy to the reference, never negative.
type objective struct {
	low, high   float64 // how far the ratio may move before a token teaches nothing more
	kl, entropy float64 // coefficients
}

// term is what one token adds to a loss, before it is divided by anything.
type term struct {
	loss    float64
	dlogp   float64 // derivative of the loss by the token's log-probability
	dent    float64 // derivative of the loss by the entropy
	kl      float64 // the estimate, for the metrics
	clipped bool    // the ratio is where the advantage would have it no further
}

// farthest bounds the logarithm of a ratio: beyond it one token would outweigh a batch, and further yet overflow.
const farthest = 10

// token computes the term of one token.
func (o objective) token(logp, old, ref, entropy, advantage float64) term {
	var t term
	ratio := math.Exp(min(logp-old, farthest))
	free, bound := ratio*advantage, min(max(ratio, 1-o.low), 1+o.high)*advantage
	t.loss = -min(free, bound)
	if t.clipped = bound < free; !t.clipped {
		t.dlogp = -free
	}
	d := min(ref-logp, farthest)
	e := math.Exp(d)
	t.kl = e - d - 1
	t.loss += o.kl * t.kl
	t.dlogp += o.kl * (1 - e)
	t.loss -= o.entropy * entropy
	t.dent = -o.entropy
	return t
}

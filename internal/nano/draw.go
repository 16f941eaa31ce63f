package nano

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// errNotNumbers is what a policy whose training diverged gives.
var errNotNumbers = errors.New("the policy's logits are not finite numbers: its training diverged")

// coldest is the least temperature that is more than 0: below it float32 cannot hold the scaled logits.
const coldest = 1e-6

// draw takes the next token out of softmax(logits/temperature), and says how likely it was and how uncertain the choice,
// in nats. At temperature 0 it is the largest logit, the first of equals, and nothing is uncertain. p is scratch of the
// length of logits.
func draw(logits []float32, temperature float64, rng *rand.Rand, p []float32) (token int32, logp, entropy float32, err error) {
	top := 0
	for i, x := range logits {
		if x > logits[top] {
			top = i
		}
	}
	most := logits[top]
	if f := float64(most); math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, 0, 0, errNotNumbers
	}
	if temperature < coldest {
		return int32(top), 0, 0, nil
	}
	// The difference is taken first: scaled and shifted at once, large logits would lose what sets them apart.
	for i, x := range logits {
		p[i] = x - most
	}
	scale := 1 / temperature
	tensor.Exp(p, p, float32(scale), 0)
	var sum, mean float64 // of the weights, and of the logits' distance from the largest under them
	for i, w := range p {
		sum += float64(w)
		if w > 0 {
			mean += float64(w) * float64(logits[i]-most)
		}
	}
	if math.IsNaN(sum) || math.IsNaN(mean) {
		return 0, 0, 0, errNotNumbers
	}
	log := math.Log(sum)
	chosen := top // where rounding leaves the last weight out
	for i, left := 0, rng.Float64()*sum; i < len(p); i++ {
		if left -= float64(p[i]); left < 0 {
			chosen = i
			break
		}
	}
	return int32(chosen), float32(float64(logits[chosen]-most)*scale - log), float32(log - mean/sum*scale), nil
}

// dice is the luck of one reply.
func dice(seed uint64, turn int) *rand.Rand {
	return rand.New(rand.NewPCG(mix(seed), mix(uint64(turn)+0x6e616e6f)))
}

// mix spreads neighbouring numbers over all bits (Steele, Lea and Flood 2014, the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

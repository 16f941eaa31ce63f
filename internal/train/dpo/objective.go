package dpo

import "math"

// Ways to compare rollouts that differ in length.
const (
	// NormNone compares sums of log-probabilities, as Rafailov et al. do.
	NormNone = "none"
	// NormLength compares means over a side's own tokens: a longer rollout has no more to say for its length.
	NormLength = "length"
)

// Norms lists them.
func Norms() []string { return []string{NormNone, NormLength} }

// objective is the loss of a pair.
type objective struct {
	beta float64
	norm string
	sft  float64
}

// sums are the log-probabilities of a side, summed over its own tokens, and their number.
type sums struct {
	policy, reference float64
	own               int
}

// value is what a pair comes to: the loss, its parts, and its derivatives by the policy's two sums.
type value struct {
	loss               float64
	preference         float64 // the part that compares
	margin             float64 // beta times the difference of the sides' gains over the reference
	dChosen, dRejected float64
}

// ofPair is the loss of a pair: -log sigmoid(margin), which is ln 2 where the policy is its reference (Rafailov et al.
// 2023, equation 7), and sft times the mean negative log-probability of the chosen side's tokens (Pang et al. 2024,
// equation 1).
func (o objective) ofPair(chosen, rejected sums) value {
	nc, nr := 1.0, 1.0
	if o.norm == NormLength {
		nc, nr = float64(chosen.own), float64(rejected.own)
	}
	v := value{margin: o.beta * ((chosen.policy-chosen.reference)/nc - (rejected.policy-rejected.reference)/nr)}
	v.preference = softplus(-v.margin)
	pull := o.beta / (1 + math.Exp(v.margin)) // beta * sigmoid(-margin)
	v.dChosen, v.dRejected = -pull/nc, pull/nr
	v.loss = v.preference
	if o.sft > 0 {
		v.loss -= o.sft * chosen.policy / float64(chosen.own)
		v.dChosen -= o.sft / float64(chosen.own)
	}
	return v
}

// softplus is log(1+exp(x)).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

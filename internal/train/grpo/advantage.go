package grpo

import "math"

// Ways to make advantages of a group's rewards, and what the loss is divided by.
const (
	// AdvantageStd is DeepSeekMath's: the distance from the group's mean in the group's standard deviations. The loss is
	// a mean over the batch's own tokens, as in DAPO.
	AdvantageStd = "std"
	// AdvantageNone leaves out the standard deviation: a group that differs by little teaches little. The loss is a mean
	// over the batch's own tokens.
	AdvantageNone = "none"
	// AdvantageDrGRPO leaves out the standard deviation and divides the loss by a constant, so that neither the spread of
	// a group nor the length of what was written weighs a token.
	AdvantageDrGRPO = "drgrpo"
)

// Advantages lists the ways.
func Advantages() []string { return []string{AdvantageStd, AdvantageNone, AdvantageDrGRPO} }

// leastStd is the standard deviation below which a group's rollouts count as equally good: it has nothing to teach.
const leastStd = 1e-4

// steady is added to the standard deviation, so that a difference of a thousandth in an otherwise equal group is not
// blown up into a lesson as loud as the difference between failure and success.
const steady = 0.02

// spread is the mean and the population standard deviation.
func spread(rewards []float64) (mean, std float64) {
	if len(rewards) == 0 {
		return 0, 0
	}
	for _, r := range rewards {
		mean += r
	}
	mean /= float64(len(rewards))
	for _, r := range rewards {
		std += (r - mean) * (r - mean)
	}
	return mean, math.Sqrt(std / float64(len(rewards)))
}

// dead reports a group without a lesson: fewer than two rollouts, or all as good as each other.
func dead(rewards []float64) bool {
	_, std := spread(rewards)
	return len(rewards) < 2 || !(std >= leastStd)
}

// advantages says for every rollout of a group how much better than the group it was. Those of a dead group are 0.
func advantages(rewards []float64, kind string) []float64 {
	out := make([]float64, len(rewards))
	if dead(rewards) {
		return out
	}
	mean, std := spread(rewards)
	scale := 1.0
	if kind == AdvantageStd {
		scale = std + steady
	}
	for i, r := range rewards {
		out[i] = (r - mean) / scale
	}
	return out
}

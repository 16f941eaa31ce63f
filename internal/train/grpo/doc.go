// Package grpo is group relative policy optimisation: a policy plays every task several times, and what did better than
// its group becomes likelier.
//
// A step has two phases. In the first the policy of the moment plays groups of rollouts in an environment, with real
// cells in the real sandbox; groups that teach nothing, because all their rollouts earned the same, are replaced up to a
// bound. In the second the log-probabilities of what it wrote, and of nothing else, are moved by the clipped objective,
// held near the reference policy, which is the model without its adapter. The phases do not overlap: every rollout is of
// the weights that learn from it.
//
//	run.go         the loop, and what it keeps
//	step.go        one step: what is played, what is learnt; and what is measured on held-out tasks
//	schedule.go    which task and which seed is played when
//	play.go        groups of rollouts
//	perform.go     one work: rollouts of a task, here or on another machine
//	elsewhere.go   groups whose works other machines perform
//	work.go        what such a machine is given, and what comes back
//	wire.go        rollouts as JSON, to the bit
//	host.go        the policies that such a machine holds
//	advantage.go   what a rollout earned, against its group
//	objective.go   the loss of one token, and its derivative
//	learn.go       one update of the weights
//	measure.go     what a step says about its rollouts
//	stop.go        when a run has learnt what it can, and when it diverges
//	options.go     what decides a run; the recipes
//
// Invariant: a run is a function of its options, its model and its environment. What is played in a step depends on the
// seed and the step's number, gradients are summed in train's order, and a step that was interrupted is repeated: an
// interrupted run ends with the weights of one that was not, bit for bit, and one whose rollouts other machines play ends
// with those of one machine. A machine that computes other last places plays nothing.
//
// The method is that of DeepSeekMath (Shao et al. 2024, arXiv:2402.03300); the asymmetric clip, the loss by token and
// the replacement of dead groups are DAPO's (Yu et al. 2025, arXiv:2503.14476); the option without scaling by the
// standard deviation and with a constant divisor is Dr. GRPO (Liu et al. 2025, arXiv:2503.20783); the estimator of the
// divergence is k3 of Schulman's "Approximating KL Divergence" (2020).
//
// A rollout that failed for reasons of the machine is not a rollout: it is dropped and counted, never a reward of 0.
package grpo

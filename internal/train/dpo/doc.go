// Package dpo is direct preference optimisation: of two rollouts of one task, the one that earned more becomes likelier
// than the other, as measured against a reference that does not move.
//
// The pairs are a policy's own: it plays every task of a pool several times, and rollouts whose rewards are far enough
// apart become pairs of a chosen and a rejected side. They are put in an order of which every beginning is spread over
// the tasks, so that 120, 500, 1,000 and 2,000 pairs are parts of one another: what differs between two trainings of a
// ladder is their number.
//
//	pairs.go      what a pair is, and when it is one
//	file.go       pairs in a file, an object a line
//	choose.go     of the rollouts of a task, the pairs; and their order
//	play.go       the rollouts of some tasks
//	collect.go    a pool of rollouts, until there are enough pairs
//	lesson.go     pairs as tokens, with the reference's log-probabilities
//	objective.go  the loss of one pair, and its derivatives
//	learn.go      one update of the weights, and what is measured without one
//	alarm.go      warnings for the user, and when a run diverges
//	run.go        the loop
//	options.go    what decides a run
//
// Invariant: pairs are a function of their options, the model and the environment; a run is one of its options, its pairs
// and its model. Gradients are summed in train's order: an interrupted run ends with the weights of one that was not, bit
// for bit.
//
// The method is that of Rafailov et al. 2023 (arXiv:2305.18290). The option of means in the place of sums is that of
// Tülu 3 (Lambert et al. 2024, arXiv:2411.15124, section 5), after SimPO (Meng et al. 2024, arXiv:2405.14734); the term
// that holds the chosen side up is RPO's (Pang et al. 2024, arXiv:2404.19733).
//
// Neither the loss nor the accuracy on pairs says that a policy got better: only rewards on tasks that were held out do,
// and measuring those is the business of train/recipe.
package dpo

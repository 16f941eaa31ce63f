// Package sft gives a small model its first lessons: it learns to continue demonstrations, good and bad, as they are.
// The result is the base model from which reinforcement and preferences start. It is meant to have the faults of its
// teachers: see train/demo.
//
//	options.go   what a run is asked to do, and the recipes
//	lessons.go   demonstrations, as sequences of tokens, in their order
//	learn.go     one step, and the loss on what is not learnt
//	run.go       the loop
//
// The vocabulary is learnt first, from the demonstrations' texts. Then the model learns to predict every token of an
// episode: those of its cells with weight 1, those of the views with a small one, since a model that knows what comes
// back from a cell has understood more of it.
//
// Invariant: a run is a function of its options and its demonstrations. A batch depends on the seed and the step's
// number, gradients are summed in train's order: an interrupted run ends with the weights of one that was not, bit for
// bit.
package sft

// Package optim changes weights by their gradients: AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101), gradient
// clipping by the norm, and learning-rate schedules.
//
// Start with [New] for the parameters of a model or an adapter; then, for every batch, [Clip] the summed gradient and
// [Optimizer.Step] with the rate that [Cosine], [Linear] or a constant gives.
//
// The invariant: an optimizer is its configuration and its [State], nothing else. Training that is saved, restored and
// continued arrives at the same weights, to the bit, as training that was never interrupted.
//
// The package computes no gradients, draws no random numbers, and reads and writes no files.
package optim

// Package tensor is the arithmetic under the embedded language model: matrix products and the vector loops of a
// transformer over float32 slices, in Go assembly for AVX-512, AVX2 with FMA and NEON, and in plain Go everywhere else.
// The fastest set that the processor has is chosen once, at start.
//
// Invariant: a result depends on the operands and on the inner dimension alone. An element of a product is the same sum
// in the same order whatever the other dimensions and the strides are, so a sequence gives the same bits alone and in a
// batch. The three assembly sets give the same bits as each other; plain Go differs from them in the last places, because
// it has no fused multiply-add for float32.
//
// It is not a tensor library: no shapes, no automatic differentiation, no broadcasting, nothing but float32.
package tensor

package tensor

import "fmt"

// lanes is how many elements the vector kernels take at once. What is left at a slice's end goes through the same kernel
// in a buffer filled up with zeros, so that the order of a sum depends on the length alone.
const lanes = 16

func same(name string, x, y int) {
	if x != y {
		panic(fmt.Sprintf("tensor: %s: slices of %d and %d elements", name, x, y))
	}
}

// Exp sets y = exp(scale*x + shift) and gives the sum of y. y may be x. The relative error is below 3e-7 for results
// from exp(-86.6), below which they are zero, to exp(88.3).
func Exp(y, x []float32, scale, shift float32) (sum float32) {
	same("Exp", len(y), len(x))
	if active == portable {
		return expPortable(y, x, scale, shift)
	}
	n := len(x) &^ (lanes - 1)
	if n > 0 {
		sum = active.exp(n, &y[0], &x[0], scale, shift)
	}
	if n < len(x) {
		var in, out [lanes]float32
		copy(in[:], x[n:])
		active.exp(lanes, &out[0], &in[0], scale, shift)
		copy(y[n:], out[:])
		for _, v := range out[:len(x)-n] {
			sum += v
		}
	}
	return sum
}

// Dot is the sum of a[i]*b[i].
func Dot(a, b []float32) (sum float32) {
	same("Dot", len(a), len(b))
	if active == portable {
		return dotPortable(a, b)
	}
	n := len(a) &^ (lanes - 1)
	if n > 0 {
		sum = active.dot(n, &a[0], &b[0])
	}
	if n < len(a) {
		var x, y [lanes]float32
		copy(x[:], a[n:])
		copy(y[:], b[n:])
		sum += active.dot(lanes, &x[0], &y[0])
	}
	return sum
}

// Axpy adds s*x to y.
func Axpy(y []float32, s float32, x []float32) {
	same("Axpy", len(y), len(x))
	if active == portable {
		axpyPortable(y, s, x)
		return
	}
	n := len(x) &^ (lanes - 1)
	if n > 0 {
		active.axpy(n, &y[0], s, &x[0])
	}
	if n < len(x) {
		var to, from [lanes]float32
		copy(to[:], y[n:])
		copy(from[:], x[n:])
		active.axpy(lanes, &to[0], s, &from[0])
		copy(y[n:], to[:])
	}
}

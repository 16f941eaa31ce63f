package tensor

import (
	"fmt"
	"math"
)

// lanes is how many elements the vector kernels take at once. The remainder at a slice's end goes through the same
// kernel in a buffer filled up with zeros, so that the order of a sum depends on the length alone.
const lanes = 16

// pad holds the ends of up to five slices.
type pad [5][lanes]float32

// in copies an end to buffer i, whose other elements are 0.
func (p *pad) in(i int, x []float32) *float32 {
	copy(p[i][:], x)
	return &p[i][0]
}

// whole is how much of a length the kernels take without a buffer.
func whole(n int) int { return n &^ (lanes - 1) }

func same(name string, n int, others ...int) {
	for _, o := range others {
		if o != n {
			panic(fmt.Sprintf("tensor: %s: slices of %d and %d elements", name, n, o))
		}
	}
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Exp sets y = exp(scale*x + shift) and gives the sum of y. y may be x. The relative error is below 3e-7 for results
// from exp(-86.6), below which they are zero, to exp(88.3).
func Exp(y, x []float32, scale, shift float32) (sum float32) {
	same("Exp", len(y), len(x))
	if active == portable {
		return expPortable(y, x, scale, shift)
	}
	n := whole(len(x))
	if n > 0 {
		sum = active.exp(n, &y[0], &x[0], scale, shift)
	}
	if n < len(x) {
		var p pad
		active.exp(lanes, &p[0][0], p.in(1, x[n:]), scale, shift)
		for _, v := range p[0][:copy(y[n:], p[0][:])] {
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
	n := whole(len(a))
	if n > 0 {
		sum = active.dot(n, &a[0], &b[0])
	}
	if n < len(a) {
		var p pad
		sum += active.dot(lanes, p.in(0, a[n:]), p.in(1, b[n:]))
	}
	return sum
}

// dot3 is the sum of a[i]*b[i]*c[i].
func dot3(a, b, c []float32) (sum float32) {
	if active == portable {
		for i, v := range a {
			sum += float32(float32(v*b[i]) * c[i])
		}
		return sum
	}
	n := whole(len(a))
	if n > 0 {
		sum = active.dot3x(n, &a[0], &b[0], &c[0])
	}
	if n < len(a) {
		var p pad
		sum += active.dot3x(lanes, p.in(0, a[n:]), p.in(1, b[n:]), p.in(2, c[n:]))
	}
	return sum
}

// Max is the largest element, and minus infinity if there is none. NaNs may be skipped.
func Max(x []float32) float32 {
	top := float32(math.Inf(-1))
	n := 0
	if active != portable {
		if n = whole(len(x)); n > 0 {
			top = active.max(n, &x[0])
		}
	}
	for _, v := range x[n:] {
		if v > top {
			top = v
		}
	}
	return top
}

// Axpy adds s*x to y.
func Axpy(y []float32, s float32, x []float32) {
	same("Axpy", len(y), len(x))
	if active == portable {
		for i, v := range x {
			y[i] += float32(s * v)
		}
		return
	}
	n := whole(len(x))
	if n > 0 {
		active.axpy(n, &y[0], s, &x[0])
	}
	if n < len(x) {
		var p pad
		active.axpy(lanes, p.in(0, y[n:]), s, p.in(1, x[n:]))
		copy(y[n:], p[0][:])
	}
}

// Scale multiplies y by s.
func Scale(y []float32, s float32) {
	n := 0
	if active != portable {
		if n = whole(len(y)); n > 0 {
			active.scale(n, &y[0], s)
		}
	}
	for i := n; i < len(y); i++ {
		y[i] *= s
	}
}

// MulAffine multiplies y by slope*x + constant.
func MulAffine(y, x []float32, slope, constant float32) {
	same("MulAffine", len(y), len(x))
	if active == portable {
		for i, v := range x {
			y[i] *= float32(slope*v) + constant
		}
		return
	}
	n := whole(len(x))
	if n > 0 {
		active.mulAffine(n, &y[0], &x[0], slope, constant)
	}
	if n < len(x) {
		var p pad
		active.mulAffine(lanes, p.in(0, y[n:]), p.in(1, x[n:]), slope, constant)
		copy(y[n:], p[0][:])
	}
}

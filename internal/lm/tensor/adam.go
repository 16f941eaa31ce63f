package tensor

import "math"

// Adam is one step of AdamW (Loshchilov and Hutter 2019, algorithm 2).
type Adam struct {
	// Rate is the learning rate of this step.
	Rate float64
	// Beta1 and Beta2 say how slowly the means of the gradient and of its square move.
	Beta1, Beta2 float64
	// Eps keeps the divisor from zero.
	Eps float64
	// Decay is the weight decay: a weight loses Rate*Decay of itself.
	Decay float64
	// Step counts from 1; the means, which begin at zero, are corrected by it.
	Step int
	// Scale multiplies the gradient first, as clipping does. It has no default: 1 leaves the gradient as it is.
	Scale float64
}

// Update takes the step for the weights w with the gradient g; m and v are the running means of the gradient and of its
// square.
func (a Adam) Update(w, g, m, v []float32) {
	same("Adam", len(w), len(g), len(m), len(v))
	c := [9]float32{
		float32(a.Scale), float32(a.Beta1), float32(1 - a.Beta1), float32(a.Beta2), float32(1 - a.Beta2),
		float32(a.Rate / (1 - power(a.Beta1, a.Step))), float32(1 / (1 - power(a.Beta2, a.Step))),
		float32(a.Eps), float32(1 - float64(a.Rate*a.Decay)),
	}
	if active == portable {
		for i := range w {
			x := g[i] * c[0]
			m[i] = float32(c[1]*m[i]) + float32(c[2]*x)
			v[i] = float32(c[3]*v[i]) + float32(c[4]*(x*x))
			w[i] = float32(c[8]*w[i]) - float32(c[5]*m[i]/(float32(math.Sqrt(float64(c[6]*v[i])))+c[7]))
		}
		return
	}
	n := whole(len(w))
	if n > 0 {
		active.adam(n, &w[0], &g[0], &m[0], &v[0], &c)
	}
	if n < len(w) {
		var p pad
		active.adam(lanes, p.in(0, w[n:]), p.in(1, g[n:]), p.in(2, m[n:]), p.in(3, v[n:]), &c)
		copy(w[n:], p[0][:])
		copy(m[n:], p[2][:])
		copy(v[n:], p[3][:])
	}
}

// power is x to the n. math.Pow is not the same to the bit on every processor.
func power(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 > 0 {
			p = float64(p * x)
		}
		x *= x
	}
	return p
}

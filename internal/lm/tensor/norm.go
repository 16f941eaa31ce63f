package tensor

import "math"

// RMSNorm sets y to x/rms(x)*w, where rms(x) is the root of the mean of x's squares plus eps, and gives 1/rms(x), which
// [RMSNormBack] needs (Zhang and Sennrich 2019, eq. 4).
func RMSNorm(y, x, w []float32, eps float64) (inv float32) {
	same("RMSNorm", len(x), len(y), len(w))
	if len(x) == 0 {
		return 0
	}
	inv = float32(1 / math.Sqrt(float64(Dot(x, x))/float64(len(x))+eps))
	n := 0
	if active != portable {
		if n = whole(len(x)); n > 0 {
			active.normMul(n, &y[0], &x[0], &w[0], inv)
		}
	}
	for i := n; i < len(x); i++ { // nothing to fuse: the same bits
		y[i] = x[i] * inv * w[i]
	}
	return inv
}

// RMSNormBack adds to dx what dy, the derivative at a row's norm, is worth at the row x, and to dw, unless it is nil,
// what it is worth at w. inv is what RMSNorm gave.
func RMSNormBack(dx, dw, dy, x, w []float32, inv float32) {
	same("RMSNormBack", len(x), len(dx), len(dy), len(w))
	if len(x) == 0 {
		return
	}
	if dw != nil {
		same("RMSNormBack", len(x), len(dw))
		mulAdd(dw, dy, x, inv)
	}
	s := dot3(dy, w, x) * inv * inv / float32(len(x))
	if active == portable {
		for i, v := range x {
			dx[i] += float32(inv * (float32(dy[i]*w[i]) - float32(v*s)))
		}
		return
	}
	n := whole(len(x))
	if n > 0 {
		active.normBack(n, &dx[0], &dy[0], &x[0], &w[0], inv, s)
	}
	if n < len(x) {
		var p pad
		active.normBack(lanes, p.in(0, dx[n:]), p.in(1, dy[n:]), p.in(2, x[n:]), p.in(3, w[n:]), inv, s)
		copy(dx[n:], p[0][:])
	}
}

// mulAdd adds a*b*s to y.
func mulAdd(y, a, b []float32, s float32) {
	if active == portable {
		for i, v := range a {
			y[i] += float32(float32(v*b[i]) * s)
		}
		return
	}
	n := whole(len(y))
	if n > 0 {
		active.mulAdd(n, &y[0], &a[0], &b[0], s)
	}
	if n < len(y) {
		var p pad
		active.mulAdd(lanes, p.in(0, y[n:]), p.in(1, a[n:]), p.in(2, b[n:]), s)
		copy(y[n:], p[0][:])
	}
}

package transformer

import "math"

// rmsNorm writes x/rms(x) * w for every row, and 1/rms(x) of each row to inv (Zhang and Sennrich 2019, eq. 4).
func rmsNorm(y, inv, x, w []float32, rows int, eps float64) {
	d := len(w)
	for i := range rows {
		xr, yr := x[i*d:(i+1)*d], y[i*d:(i+1)*d]
		var s float32
		for _, v := range xr {
			s += v * v
		}
		r := float32(1 / math.Sqrt(float64(s)/float64(d)+eps))
		inv[i] = r
		for j, v := range xr {
			yr[j] = v * r * w[j]
		}
	}
}

// rmsNormBack adds to dx what dy is worth at the input, and to dw (unless nil) what it is worth at the weights.
func rmsNormBack(dx, dw, dy, x, w, inv []float32, rows int) {
	d := len(w)
	for i := range rows {
		xr, dyr, dxr := x[i*d:(i+1)*d], dy[i*d:(i+1)*d], dx[i*d:(i+1)*d]
		r := inv[i]
		var s float32
		for j, v := range xr {
			s += dyr[j] * w[j] * v
		}
		s *= r * r / float32(d)
		for j, v := range xr {
			dxr[j] += r * (dyr[j]*w[j] - v*s)
		}
		if dw != nil {
			for j, v := range xr {
				dw[j] += dyr[j] * v * r
			}
		}
	}
}

// rotate turns each head of a row by the angles of its position: the first half of a head's values with the second
// half, as Hugging Face's rotate_half does. A dir of -1 turns back.
func rotate(x, cos, sin []float32, dir float32) {
	half := len(cos)
	for o := 0; o < len(x); o += 2 * half {
		a, b := x[o:o+half], x[o+half:o+2*half]
		for i, u := range a {
			v, c, s := b[i], cos[i], dir*sin[i]
			a[i], b[i] = u*c-v*s, v*c+u*s
		}
	}
}

// swiGLU writes silu(g)*u for every row of gu, which holds g and u side by side (Shazeer 2020, eq. 6).
func swiGLU(h, gu []float32, rows, n int) {
	for i := range rows {
		g, u, hr := gu[2*i*n:(2*i+1)*n], gu[(2*i+1)*n:(2*i+2)*n], h[i*n:(i+1)*n]
		for j, v := range g {
			hr[j] = v * sigmoid(v) * u[j]
		}
	}
}

// swiGLUBack writes to dgu what dh is worth at gu.
func swiGLUBack(dgu, dh, gu []float32, rows, n int) {
	for i := range rows {
		g, u, dhr := gu[2*i*n:(2*i+1)*n], gu[(2*i+1)*n:(2*i+2)*n], dh[i*n:(i+1)*n]
		dg, du := dgu[2*i*n:(2*i+1)*n], dgu[(2*i+1)*n:(2*i+2)*n]
		for j, v := range g {
			s := sigmoid(v)
			du[j] = dhr[j] * v * s
			dg[j] = dhr[j] * u[j] * s * (1 + v*(1-s))
		}
	}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// exp writes exp(scale*x+shift) and gives the sum of it.
func exp(y, x []float32, scale, shift float32) float32 {
	var s float32
	for i, v := range x {
		y[i] = float32(math.Exp(float64(scale*v + shift)))
		s += y[i]
	}
	return s
}

func dot(a, b []float32) float32 {
	var s float32
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func largest(x []float32) float32 {
	m := x[0]
	for _, v := range x[1:] {
		m = max(m, v)
	}
	return m
}

// rowTimes sets y, or adds to it, x times the matrix whose rows lie ld apart: y_j = sum_i x_i b_ij.
func rowTimes(y, x, b []float32, ld int, acc bool) {
	if !acc {
		clear(y)
	}
	for i, v := range x {
		for j, w := range b[i*ld : i*ld+len(y)] {
			y[j] += v * w
		}
	}
}

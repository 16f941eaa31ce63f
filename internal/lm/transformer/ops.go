package transformer

import "github.com/deeprepo/deeprepo/internal/lm/tensor"

// The loops over rows of what package tensor does to one row.

// rmsNorm writes the norm of every row of x to y, and what the way back needs of each row to inv.
func rmsNorm(y, inv, x, w []float32, rows int, eps float64) {
	d := len(w)
	for i := range rows {
		inv[i] = tensor.RMSNorm(y[i*d:(i+1)*d], x[i*d:(i+1)*d], w, eps)
	}
}

// rmsNormBack adds to dx what dy is worth at the input, and to dw (unless nil) what it is worth at the weights.
func rmsNormBack(dx, dw, dy, x, w, inv []float32, rows int) {
	d := len(w)
	for i := range rows {
		tensor.RMSNormBack(dx[i*d:(i+1)*d], dw, dy[i*d:(i+1)*d], x[i*d:(i+1)*d], w, inv[i])
	}
}

// rotate turns the queries and keys of rows of queries, keys and values by the angles of their positions. A dir of -1
// turns back.
func (m *Model) rotate(qkv []float32, positions []int32, dir float32) {
	Q, half := m.Config.qkvDim(), m.Config.HeadDim()/2
	turned := Q - m.Config.kvDim()
	for i, at := range positions {
		angle := int(at) * half
		tensor.Rotate(qkv[i*Q:i*Q+turned], m.cos[angle:angle+half], m.sin[angle:angle+half], dir)
	}
}

// addBias adds a bias, unless it is nil, to every row.
func addBias(y, bias []float32, rows int) {
	if n := len(bias); n > 0 {
		for i := range rows {
			tensor.Axpy(y[i*n:(i+1)*n], 1, bias)
		}
	}
}

// addBiasBack adds to dbias, unless it is nil, what dy is worth at it: the sum of the rows.
func addBiasBack(dbias, dy []float32, rows int) {
	if n := len(dbias); n > 0 {
		for i := range rows {
			tensor.Axpy(dbias, 1, dy[i*n:(i+1)*n])
		}
	}
}

// swiGLU writes silu(g)*u for every row of gu, which holds g and u side by side.
func swiGLU(h, gu []float32, rows, n int) {
	for i := range rows {
		g, u := gu[2*i*n:(2*i+1)*n], gu[(2*i+1)*n:(2*i+2)*n]
		tensor.SwiGLU(h[i*n:(i+1)*n], g, u)
	}
}

// swiGLUBack writes to dgu what dh is worth at gu.
func swiGLUBack(dgu, dh, gu []float32, rows, n int) {
	for i := range rows {
		g, u := gu[2*i*n:(2*i+1)*n], gu[(2*i+1)*n:(2*i+2)*n]
		tensor.SwiGLUBack(dgu[2*i*n:(2*i+1)*n], dgu[(2*i+1)*n:(2*i+2)*n], dh[i*n:(i+1)*n], g, u)
	}
}

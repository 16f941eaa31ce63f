package transformer

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// attendRows is how many queries are taken at once: keys behind the last of them are not looked at, so that about
// half of the square of a long sequence is never computed.
const attendRows = 96

// attend computes causal attention of all heads (Vaswani et al. 2017, eq. 1), and keeps the probabilities.
func (p *Pass) attend(a *activations, T int) {
	c := p.model.Config
	D, W := c.Dim, c.HeadDim()
	scale := float32(1 / math.Sqrt(float64(W)))
	for h := range c.Heads {
		P := a.probs[h*T*T : (h+1)*T*T]
		q, k, v := a.qkv[h*W:], a.qkv[D+h*W:], a.qkv[2*D+h*W:]
		for i0 := 0; i0 < T; i0 += attendRows {
			r := min(attendRows, T-i0)
			n := i0 + r
			tensor.Gemm(false, true, r, n, W, q[i0*3*D:], 3*D, k, 3*D, P[i0*T:], T, false)
			for i := i0; i < n; i++ {
				row := P[i*T : i*T+i+1]
				tensor.Softmax(row, scale)
				clear(P[i*T+i+1 : i*T+n])
			}
			tensor.Gemm(false, false, r, W, n, P[i0*T:], T, v, 3*D, a.att[i0*D+h*W:], D, false)
		}
	}
}

// attendBack writes to dqkv what datt is worth at the rotated queries and keys and the values.
func (p *Pass) attendBack(a *activations, dqkv, datt []float32, T int) {
	c := p.model.Config
	D, W := c.Dim, c.HeadDim()
	scale := float32(1 / math.Sqrt(float64(W)))
	p.dprobs = resize(p.dprobs, attendRows*T)
	clear(dqkv[:T*3*D])
	for h := range c.Heads {
		P := a.probs[h*T*T : (h+1)*T*T]
		q, k, v := a.qkv[h*W:], a.qkv[D+h*W:], a.qkv[2*D+h*W:]
		dq, dk, dv := dqkv[h*W:], dqkv[D+h*W:], dqkv[2*D+h*W:]
		for i0 := 0; i0 < T; i0 += attendRows {
			r := min(attendRows, T-i0)
			n := i0 + r
			do := datt[i0*D+h*W:]
			tensor.Gemm(false, true, r, n, W, do, D, v, 3*D, p.dprobs, T, false)
			tensor.Gemm(true, false, n, W, r, P[i0*T:], T, do, D, dv, 3*D, true)
			for i := range r {
				tensor.SoftmaxBack(p.dprobs[i*T:i*T+n], P[(i0+i)*T:(i0+i)*T+n], scale)
			}
			tensor.Gemm(false, false, r, W, n, p.dprobs, T, k, 3*D, dq[i0*3*D:], 3*D, false)
			tensor.Gemm(true, false, n, W, r, p.dprobs, T, q[i0*3*D:], 3*D, dk, 3*D, true)
		}
	}
}

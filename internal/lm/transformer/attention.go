package transformer

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// attendRows is how many queries are taken at once: keys behind the last of them are not looked at, so that about
// half of the square of a long sequence is never computed.
const attendRows = 96

// attention says where heads lie in an array of rows of queries, keys and values of T positions.
type attention struct {
	Config
	T        int
	width    int // of a row
	headSize int
	scale    float32
}

func (p *Pass) attention(T int) attention {
	c := p.model.Config
	return attention{Config: c, T: T, width: c.qkvDim(), headSize: c.HeadDim(), scale: float32(1 / math.Sqrt(float64(c.HeadDim())))}
}

// of are the queries of a head and the keys and values that it reads; groups of heads share them (Ainslie et al. 2023,
// arXiv:2305.13245).
func (t *attention) of(qkv []float32, head int) (q, k, v []float32) {
	shared := head / (t.Heads / t.KVHeads) * t.headSize
	return qkv[head*t.headSize:], qkv[t.Dim+shared:], qkv[t.Dim+t.kvDim()+shared:]
}

// score writes the probabilities with which the queries of rows i0 to n of a head look at the positions up to themselves.
func (t *attention) score(P, q, k []float32, i0, n int) {
	T := t.T
	tensor.Gemm(false, true, n-i0, n, t.headSize, q[i0*t.width:], t.width, k, t.width, P[i0*T:], T, false)
	for i := i0; i < n; i++ {
		tensor.Softmax(P[i*T:i*T+i+1], t.scale)
		clear(P[i*T+i+1 : i*T+n])
	}
}

// attend computes causal attention of all heads of a layer (Vaswani et al. 2017, eq. 1).
func (p *Pass) attend(layer, T int) {
	a, t := &p.acts[layer], p.attention(T)
	D, W := t.Dim, t.headSize
	for h := range t.Heads {
		P := p.probs[layer][h*T*T : (h+1)*T*T]
		q, k, v := t.of(a.qkv, h)
		for i0 := 0; i0 < T; i0 += attendRows {
			n := min(i0+attendRows, T)
			t.score(P, q, k, i0, n)
			tensor.Gemm(false, false, n-i0, W, n, P[i0*T:], T, v, t.width, a.att[i0*D+h*W:], D, false)
		}
	}
}

// attendBack writes to dqkv what datt is worth at the rotated queries and keys and the values.
func (p *Pass) attendBack(layer int, dqkv, datt []float32, T int) {
	a, t := &p.acts[layer], p.attention(T)
	D, W, Q, again := t.Dim, t.headSize, t.width, !p.keepsProbs(T)
	p.dprobs = resize(p.dprobs, attendRows*T)
	clear(dqkv[:T*Q])
	for h := range t.Heads {
		P := p.probs[layer][h*T*T : (h+1)*T*T]
		q, k, v := t.of(a.qkv, h)
		dq, dk, dv := t.of(dqkv, h)
		for i0 := 0; i0 < T; i0 += attendRows {
			r := min(attendRows, T-i0)
			n := i0 + r
			if again {
				t.score(P, q, k, i0, n)
			}
			do := datt[i0*D+h*W:]
			tensor.Gemm(false, true, r, n, W, do, D, v, Q, p.dprobs, T, false)
			tensor.Gemm(true, false, n, W, r, P[i0*T:], T, do, D, dv, Q, true)
			for i := range r {
				tensor.SoftmaxBack(p.dprobs[i*T:i*T+n], P[(i0+i)*T:(i0+i)*T+n], t.scale)
			}
			tensor.Gemm(false, false, r, W, n, p.dprobs, T, k, Q, dq[i0*Q:], Q, false)
			tensor.Gemm(true, false, n, W, r, p.dprobs, T, q[i0*Q:], Q, dk, Q, true)
		}
	}
}

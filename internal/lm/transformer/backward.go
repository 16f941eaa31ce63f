package transformer

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Backward adds to g the gradient of sum_i dlogp[i]*logp[i] + dent[i]*entropy[i] of the Forward before it; positions
// that were not wanted count nothing, and dent may be nil. g belongs to [Pass.Params]. It may be called once a
// Forward.
func (p *Pass) Backward(dlogp, dent []float32, g *Grads) {
	c := p.model.Config
	if p.frozen {
		panic("transformer: nothing is trained in this pass")
	}
	if n := len(p.tokens) - 1; len(dlogp) < n || dent != nil && len(dent) < n {
		panic(fmt.Sprintf("transformer: %d tokens, and derivatives of only %d log-probabilities and %d entropies", n+1, len(dlogp), len(dent)))
	}
	if len(p.wanted) == 0 {
		return
	}
	D, F, Q, T := c.Dim, c.Hidden, c.qkvDim(), p.length
	p.dx, p.d1 = resize(p.dx, T*D), resize(p.d1, T*D)
	p.dqkv, p.dgateUp, p.dh = resize(p.dqkv, T*Q), resize(p.dgateUp, T*2*F), resize(p.dh, T*F)
	to := g.over(p)
	p.predictBack(dlogp, dent, to)
	for li := c.Layers - 1; li >= 0; li-- {
		l, a := &p.model.layers[li], &p.acts[li]
		swiGLU(p.inner, a.gateUp, T, F)
		p.linearBack(to, li, placeDown, p.inner, p.dx, T)
		tensor.Gemm(false, false, T, F, D, p.dx, D, l.down, F, p.dh, F, false)
		swiGLUBack(p.dgateUp, p.dh, a.gateUp, T, F)
		rmsNorm(p.n, a.inv2, a.x2, l.norm2, T, c.NormEps)
		p.linearBack(to, li, placeGateUp, p.n, p.dgateUp, T)
		tensor.Gemm(false, false, T, D, 2*F, p.dgateUp, 2*F, l.gateUp, D, p.d1, D, false)
		rmsNormBack(p.dx, to.norm2(li), p.d1, a.x2, l.norm2, a.inv2, T)

		p.linearBack(to, li, placeO, a.att, p.dx, T)
		tensor.Gemm(false, false, T, D, D, p.dx, D, l.o, D, p.d1, D, false)
		p.attendBack(li, p.dqkv, p.d1, T)
		p.model.rotate(p.dqkv, T, -1)
		addBiasBack(to.bias(li), p.dqkv, T)
		rmsNorm(p.n, a.inv1, a.x, l.norm1, T, c.NormEps)
		p.linearBack(to, li, placeQKV, p.n, p.dqkv, T)
		tensor.Gemm(false, false, T, D, Q, p.dqkv, Q, l.qkv, D, p.d1, D, false)
		rmsNormBack(p.dx, to.norm1(li), p.d1, a.x, l.norm1, a.inv1, T)
	}
	if to.model != nil {
		for i, t := range p.tokens[:T] {
			tensor.Axpy(to.model.embed[int(t)*D:(int(t)+1)*D], 1, p.dx[i*D:(i+1)*D])
		}
	}
}

// predictBack sets dx from the derivatives of log-probabilities and entropies. With p = softmax(z):
// dlog p(y)/dz_j = [j=y] - p_j, and dH/dz_j = -p_j (log p_j + H).
func (p *Pass) predictBack(dlogp, dent []float32, to *target) {
	c, n := p.model.Config, len(p.wanted)
	D, V := c.Dim, c.Vocab
	p.dlogits, p.dlast = resize(p.dlogits, n*V), resize(p.dlast, n*D)
	s := 1 / p.temperature
	for w, i := range p.wanted {
		z, d := p.logits[w*V:(w+1)*V], p.dlogits[w*V:(w+1)*V]
		tensor.Exp(d, z, s, -p.lse[w])
		gl, ge := dlogp[i]*s, float32(0)
		if dent != nil {
			ge = dent[i] * s
		}
		tensor.MulAffine(d, z, -ge*s, -gl-ge*(p.entropies[w]-p.lse[w]))
		d[p.tokens[i+1]] += gl
	}
	tensor.Gemm(false, false, n, D, V, p.dlogits, V, p.model.head, D, p.dlast, D, false)
	if to.model != nil {
		tensor.Gemm(true, false, V, D, n, p.dlogits, V, p.lastN, D, to.model.head, D, true)
	}
	// The gradient of the rows that were gathered goes back to where they came from; all else has none.
	p.d1 = resize(p.d1, n*D)
	clear(p.d1)
	rmsNormBack(p.d1, to.norm(), p.dlast, p.last, p.model.norm, p.lastInv, n)
	clear(p.dx)
	for w, i := range p.wanted {
		copy(p.dx[int(i)*D:(int(i)+1)*D], p.d1[w*D:])
	}
	p.d1 = resize(p.d1, p.length*D)
}

// The four places of a layer that multiply, in an adapterLayer's order.
const (
	placeQKV = iota
	placeO
	placeGateUp
	placeDown
)

// linearBack adds the gradient of the weights of one place, whose input was x and whose output is worth dy.
func (p *Pass) linearBack(to *target, li, place int, x, dy []float32, T int) {
	if to.model != nil {
		l := &to.model.layers[li]
		w := [4][]float32{l.qkv, l.o, l.gateUp, l.down}[place]
		in := [4]int{p.model.Config.Dim, p.model.Config.Dim, p.model.Config.Dim, p.model.Config.Hidden}[place]
		out := len(w) / in
		tensor.Gemm(true, false, out, in, T, dy, out, x, in, w, in, true)
		return
	}
	// y = scale * B A x: dA = scale * (dy B)^T x, dB = scale * dy^T (A x)^T.
	w, g, r := &p.adapter.layers[li][place], &to.adapter.layers[li][place], p.adapter.Rank
	out, low := w.out(), len(w.b)*r
	scale := p.adapter.scale()
	p.lowX, p.lowDY = resize(p.lowX, T*low), resize(p.lowDY, T*low)
	tensor.Gemm(false, true, T, low, w.in, x, w.in, w.a, w.in, p.lowX, low, false)
	at := 0
	for j, b := range w.b {
		tensor.Gemm(false, false, T, r, w.outs[j], dy[at:], out, b, r, p.lowDY[j*r:], low, false)
		at += w.outs[j]
	}
	tensor.Scale(p.lowX, scale)
	tensor.Scale(p.lowDY, scale)
	tensor.Gemm(true, false, low, w.in, T, p.lowDY, low, x, w.in, g.a, w.in, true)
	at = 0
	for j, b := range g.b {
		tensor.Gemm(true, false, w.outs[j], r, T, dy[at:], out, p.lowX[j*r:], low, b, r, true)
		at += w.outs[j]
	}
}

// target is a gradient laid out as what it is the gradient of.
type target struct {
	model   *Model // nil where an adapter is trained
	adapter *Adapter
}

func (t *target) norm() []float32 {
	if t.model == nil {
		return nil
	}
	return t.model.norm
}

func (t *target) norm1(layer int) []float32 {
	if t.model == nil {
		return nil
	}
	return t.model.layers[layer].norm1
}

func (t *target) norm2(layer int) []float32 {
	if t.model == nil {
		return nil
	}
	return t.model.layers[layer].norm2
}

func (t *target) bias(layer int) []float32 {
	if t.model == nil {
		return nil
	}
	return t.model.layers[layer].bias
}

// over lays the gradient out for a pass, once.
func (g *Grads) over(p *Pass) *target {
	if g.target != nil {
		return g.target
	}
	t := &target{}
	n := len(p.base.flat)
	if p.adapter != nil {
		t.adapter = &Adapter{Rank: p.adapter.Rank, Alpha: p.adapter.Alpha, config: p.adapter.config, flat: g.flat}
		if n = len(p.adapter.flat); n == len(g.flat) {
			t.adapter.lay()
		}
	} else {
		t.model = &Model{Config: p.base.Config, flat: g.flat}
		if n == len(g.flat) {
			t.model.lay()
		}
	}
	if n != len(g.flat) {
		panic(fmt.Sprintf("transformer: a gradient of %d values for %d parameters", len(g.flat), n))
	}
	g.target = t
	return t
}

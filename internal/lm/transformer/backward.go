package transformer

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Backward adds to g the gradient of the sum over sequences s and positions i of dlogp[s][i]*logp[s][i] +
// dent[s][i]*entropy[s][i] of the Forward before it; positions that were not wanted count nothing, and dent may be nil. g
// belongs to [Pass.Params]. It may be called once a Forward.
func (p *Pass) Backward(dlogp, dent [][]float32, g *Grads) {
	c := p.model.Config
	if p.frozen {
		panic("transformer: nothing is trained in this pass")
	}
	p.logp.check("log-probabilities", dlogp)
	if dent != nil {
		p.ent.check("entropies", dent)
	}
	if len(p.wanted) == 0 {
		return
	}
	D, F, Q, T := c.Dim, c.Hidden, c.qkvDim(), len(p.tokens)
	p.dx, p.d1 = resize(p.dx, T*D), resize(p.d1, T*D)
	p.dqkv, p.dgateUp, p.dh = resize(p.dqkv, T*Q), resize(p.dgateUp, T*2*F), resize(p.dh, T*F)
	to := g.over(p)
	p.predictBack(dlogp, dent, to)
	for li := c.Layers - 1; li >= 0; li-- {
		l, a := &p.model.layers[li], &p.acts[li]
		swiGLU(p.inner, a.gateUp, T, F)
		p.timesBack(to, li, placeDown, T, p.inner, p.dx, p.dh)
		swiGLUBack(p.dgateUp, p.dh, a.gateUp, T, F)
		rmsNorm(p.n, a.inv2, a.x2, l.norm2, T, c.NormEps)
		p.timesBack(to, li, placeGateUp, T, p.n, p.dgateUp, p.d1)
		rmsNormBack(p.dx, to.norm2(li), p.d1, a.x2, l.norm2, a.inv2, T)

		p.timesBack(to, li, placeO, T, a.att, p.dx, p.d1)
		p.attendBack(li, p.dqkv, p.d1)
		p.model.rotate(p.dqkv, p.at, -1)
		addBiasBack(to.bias(li), p.dqkv, T)
		rmsNorm(p.n, a.inv1, a.x, l.norm1, T, c.NormEps)
		p.timesBack(to, li, placeQKV, T, p.n, p.dqkv, p.d1)
		rmsNormBack(p.dx, to.norm1(li), p.d1, a.x, l.norm1, a.inv1, T)
	}
	if to.model != nil {
		for i, t := range p.tokens {
			tensor.Axpy(to.model.embed[int(t)*D:(int(t)+1)*D], 1, p.dx[i*D:(i+1)*D])
		}
	}
}

// check panics if derivatives are not one for every value.
func (g *given) check(what string, d [][]float32) {
	if len(d) < len(g.of) {
		panic(fmt.Sprintf("transformer: derivatives of the %s of only %d of %d sequences", what, len(d), len(g.of)))
	}
	for i, v := range g.of {
		if len(d[i]) < len(v) {
			panic(fmt.Sprintf("transformer: %d tokens, and derivatives of only %d %s", len(v)+1, len(d[i]), what))
		}
	}
}

// predictBack sets dx from the derivatives of log-probabilities and entropies. With p = softmax(z):
// dlog p(y)/dz_j = [j=y] - p_j, and dH/dz_j = -p_j (log p_j + H).
func (p *Pass) predictBack(dlogp, dent [][]float32, to *target) {
	c, n := p.model.Config, len(p.wanted)
	D, V := c.Dim, c.Vocab
	p.dlogits, p.dlast = resize(p.dlogits, n*V), resize(p.dlast, n*D)
	p.ofLogp, p.ofEnt = resize(p.ofLogp, n), resize(p.ofEnt, n)
	clear(p.ofLogp)
	clear(p.ofEnt)
	s := 1 / p.temperature
	for _, t := range p.predictions {
		p.ofLogp[t.wanted] += dlogp[t.sequence][t.i] * s
		if dent != nil {
			p.ofEnt[t.wanted] += dent[t.sequence][t.i] * s
		}
	}
	for w := range p.wanted {
		z, d := p.logits[w*V:(w+1)*V], p.dlogits[w*V:(w+1)*V]
		tensor.Exp(d, z, s, -p.lse[w])
		tensor.MulAffine(d, z, -p.ofEnt[w]*s, -p.ofLogp[w]-p.ofEnt[w]*(p.entropies[w]-p.lse[w]))
	}
	for _, t := range p.predictions {
		p.dlogits[t.wanted*V+int(t.token)] += dlogp[t.sequence][t.i] * s
	}
	if e := p.model.eight; e != nil {
		tensor.GemmPacked(1, false, n, p.dlogits, V, e.turned().head, p.dlast, D, false)
	} else {
		tensor.Gemm(false, false, n, D, V, p.dlogits, V, p.model.head, D, p.dlast, D, false)
	}
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
	p.d1 = resize(p.d1, len(p.tokens)*D)
}

// timesBack is the way back through one place of a layer, whose input was x and whose output is worth dy: it adds the
// gradient of what is trained of it, and writes to dx what dy is worth at the input.
func (p *Pass) timesBack(to *target, li, place, T int, x, dy, dx []float32) {
	out, in := p.model.Config.shape(place)
	if to.model != nil {
		tensor.Gemm(true, false, out, in, T, dy, out, x, in, to.model.layers[li].matrix(place), in, true)
	} else {
		p.adapterBack(&p.adapter.layers[li][place], &to.adapter.layers[li][place], T, x, dy)
	}
	if e := p.model.eight; e != nil {
		tensor.GemmPacked(1, false, T, dy, out, e.turned().layers[li][place], dx, in, false)
		a := p.adapter.layers[li][place].a
		low := len(a) / in
		tensor.Gemm(false, false, T, in, low, p.lowDY, low, a, in, dx, in, true)
		return
	}
	tensor.Gemm(false, false, T, in, out, dy, out, p.model.layers[li].matrix(place), in, dx, in, false)
}

// adapterBack adds the gradient of an adapter w at one place to g. With y = scale * B A x: dA = scale * (dy B)^T x and
// dB = scale * dy^T (A x)^T. It leaves scale * dy B in lowDY.
func (p *Pass) adapterBack(w, g *lowRank, T int, x, dy []float32) {
	r, out := p.adapter.Rank, w.out()
	low, scale := len(w.b)*r, p.adapter.scale()
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

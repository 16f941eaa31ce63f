package transformer

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Pass takes sequences through a model and back, and what several of them begin with once. It is not safe for concurrent
// use: a trainer has one for each goroutine (see [Pass.Fork]). It looks at what is trained anew in each Forward, so it may
// change between two.
type Pass struct {
	*loaded

	// Of the last Forward.
	layout
	temperature float32
	logits      []float32 // of the wanted rows
	lse         []float32 // their log-sum-exp, of logits over temperature
	entropies   []float32 // their entropies
	logp, ent   given     // what Forward gave

	acts        []activations
	probs       [][]float32 // of each layer, Heads x T x longest; of the first alone where they are too large to be kept
	most        int         // how many of them are kept
	n, inner    []float32   // T x Dim, T x Hidden: a norm and a feed-forward of the layer in progress
	x           []float32   // T x Dim: the residual stream behind the last layer
	last, lastN []float32   // the wanted rows of x, and their norm
	lastInv     []float32
	scratch
}

// activations is what the way back needs of one layer and what would cost a product to compute again; norms and the
// feed-forward's inner values are computed again (Korthikanti et al. 2022, arXiv:2205.05198, section 5).
type activations struct {
	x, inv1  []float32 // the layer's input, of its norm
	qkv      []float32 // T x qkvDim: rotated queries and keys, values
	att      []float32 // T x Dim: what attention read
	x2, inv2 []float32 // the stream behind attention, of its norm
	gateUp   []float32 // T x 2 Hidden
}

// scratch is what the way back writes and forgets.
type scratch struct {
	dlogits, dlast            []float32
	dx, d1, dqkv, dgateUp, dh []float32
	dprobs, lowX, lowDY       []float32
	ofLogp, ofEnt             []float32 // of the wanted rows
	row                       []float32 // one row of the vocabulary
}

// NewPass makes a pass. Without an adapter the model itself is trained: [Pass.Backward] gives the gradient of
// [Model.Params]; with one only the adapter is, and it gives that of [Adapter.Params]: the model must not change then. It
// panics if the adapter is of another shape than the model, and without one on a model in eight bits.
func NewPass(m *Model, a *Adapter) *Pass { return newPass(load(m, a, false)) }

// NewReader makes a pass over a model that does not change: [Pass.Backward] panics.
func NewReader(m *Model) *Pass { return newPass(load(m, nil, true)) }

// Fork makes another pass over the same model and adapter, for another goroutine. What is made of the weights they share.
func (p *Pass) Fork() *Pass { return newPass(p.loaded) }

func newPass(w *loaded) *Pass {
	layers := w.base.Config.Layers
	return &Pass{loaded: w, acts: make([]activations, layers), probs: make([][]float32, layers), most: maxProbs}
}

// Params are what [Pass.Backward] gives the gradient of.
func (p *Pass) Params() []Param {
	if p.adapter != nil {
		return p.adapter.Params()
	}
	return p.base.Params()
}

// Forward gives of every sequence for every i with Want[i] the log-probability of Tokens[i+1] after Tokens[:i+1] when
// sampled at a temperature, and the entropy in nats of the distribution it is drawn from; both have len(Tokens)-1 elements
// and are 0 where not wanted. A temperature of 0 is taken as 1. What it gives is valid until the next Forward. It panics
// on tokens outside the vocabulary and on sequences that are empty or longer than the context. Memory grows with the rows
// of all sequences together (see [Bundles]).
func (p *Pass) Forward(sequences []Sequence, temperature float32) (logp, entropy [][]float32) {
	c := p.model.Config
	for i := range sequences {
		sequences[i].check(&c)
	}
	if p.temperature = temperature; temperature == 0 {
		p.temperature = 1
	}
	p.look()
	p.lay(sequences)
	if T := len(p.tokens); T > 0 {
		p.grow(T)
		p.through(T)
		p.predict()
	}
	p.logp.fit(sequences)
	p.ent.fit(sequences)
	p.row = resize(p.row, c.Vocab)
	for w := range p.wanted {
		p.judge(w)
	}
	for _, t := range p.predictions {
		p.logp.of[t.sequence][t.i] = p.logits[t.wanted*c.Vocab+int(t.token)]*(1/p.temperature) - p.lse[t.wanted]
		p.ent.of[t.sequence][t.i] = p.entropies[t.wanted]
	}
	return p.logp.of, p.ent.of
}

// given is a value for every token but the last of sequences.
type given struct {
	of  [][]float32
	all []float32
}

// fit makes room for a value of each, all 0.
func (g *given) fit(sequences []Sequence) {
	n := 0
	for _, s := range sequences {
		n += len(s.Tokens) - 1
	}
	g.all, g.of = resize(g.all, n), g.of[:0]
	clear(g.all)
	rest := g.all
	for _, s := range sequences {
		n := len(s.Tokens) - 1
		g.of, rest = append(g.of, rest[:n:n]), rest[n:]
	}
}

// through computes the residual stream of all layers.
func (p *Pass) through(T int) {
	m, c := p.model, p.model.Config
	D, F := c.Dim, c.Hidden
	for i, t := range p.tokens {
		m.embedding(t, p.acts[0].x[i*D:(i+1)*D])
	}
	for li := range m.layers {
		l, a := &m.layers[li], &p.acts[li]
		rmsNorm(p.n, a.inv1, a.x, l.norm1, T, c.NormEps)
		p.times(1, li, placeQKV, T, p.n, a.qkv, false, &p.lowX)
		addBias(a.qkv, l.bias, T)
		m.rotate(a.qkv, p.at, 1)
		p.attend(li)
		copy(a.x2, a.x[:T*D])
		p.times(1, li, placeO, T, a.att, a.x2, true, &p.lowX)
		rmsNorm(p.n, a.inv2, a.x2, l.norm2, T, c.NormEps)
		p.times(1, li, placeGateUp, T, p.n, a.gateUp, false, &p.lowX)
		swiGLU(p.inner, a.gateUp, T, F)
		next := p.x
		if li+1 < c.Layers {
			next = p.acts[li+1].x
		}
		copy(next, a.x2[:T*D])
		p.times(1, li, placeDown, T, p.inner, next, true, &p.lowX)
	}
}

// predict computes the logits of the wanted rows only: a vocabulary is wide, and most tokens of a rollout are
// not the policy's own.
func (p *Pass) predict() {
	c, n := p.model.Config, len(p.wanted)
	D := c.Dim
	p.last, p.lastN, p.lastInv = resize(p.last, n*D), resize(p.lastN, n*D), resize(p.lastInv, n)
	p.logits, p.lse, p.entropies = resize(p.logits, n*c.Vocab), resize(p.lse, n), resize(p.entropies, n)
	for w, i := range p.wanted {
		copy(p.last[w*D:(w+1)*D], p.x[int(i)*D:])
	}
	rmsNorm(p.lastN, p.lastInv, p.last, p.model.norm, n, c.NormEps)
	tensor.GemmPacked(1, false, n, p.lastN, D, p.head, p.logits, c.Vocab, false)
}

// judge sets log-sum-exp and entropy of a wanted row: with z the logits over the temperature and L their log-sum-exp,
// log p(y) = z_y - L and H = L - sum p z.
func (p *Pass) judge(w int) {
	V := p.model.Config.Vocab
	z, s := p.logits[w*V:(w+1)*V], 1/p.temperature
	top := tensor.Max(z) * s
	sum := tensor.Exp(p.row, z, s, -top)
	p.lse[w] = top + float32(math.Log(float64(sum)))
	p.entropies[w] = p.lse[w] - s*tensor.Dot(p.row, z)/sum
}

// maxProbs is how many attention probabilities of a Forward are kept for the way back: 64 MiB of them.
const maxProbs = 1 << 24

// grow makes room for T rows.
func (p *Pass) grow(T int) {
	c := p.model.Config
	D, F := c.Dim, c.Hidden
	for i := range p.acts {
		if i == 0 || p.keepsProbs() {
			p.probs[i] = resize(p.probs[i], c.Heads*T*p.longest)
		}
		if i > 0 && p.frozen { // no way back: a layer's values are those of the one before, overwritten
			p.acts[i] = p.acts[0]
			continue
		}
		a := &p.acts[i]
		a.x, a.inv1, a.qkv, a.att = resize(a.x, T*D), resize(a.inv1, T), resize(a.qkv, T*c.qkvDim()), resize(a.att, T*D)
		a.x2, a.inv2, a.gateUp = resize(a.x2, T*D), resize(a.inv2, T), resize(a.gateUp, T*2*F)
	}
	p.x, p.n, p.inner = resize(p.x, T*D), resize(p.n, T*D), resize(p.inner, T*F)
}

// keepsProbs says whether each layer's attention probabilities are kept for the way back, or computed again there.
func (p *Pass) keepsProbs() bool {
	c := p.model.Config
	return !p.frozen && c.Layers*c.Heads*len(p.tokens)*p.longest <= p.most
}

// probsOf is the room for a layer's attention probabilities of a head: all layers' is one where they are not kept.
func (p *Pass) probsOf(layer, head int) []float32 {
	if !p.keepsProbs() {
		layer = 0
	}
	return p.probs[layer][head*len(p.tokens)*p.longest:]
}

// resize gives a slice of n elements: s itself where it is large enough. Its contents are undefined.
func resize(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

package transformer

import (
	"fmt"
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Pass takes one sequence at a time through a model and back. It is not safe for concurrent use: a trainer has one
// for each goroutine (see [Pass.Fork]). It looks at what is trained anew in each Forward, so it may change between two.
type Pass struct {
	*loaded

	// Of the last Forward.
	tokens      []int32
	length      int     // how many of them went through the layers
	wanted      []int32 // positions whose prediction is wanted
	temperature float32
	logits      []float32 // of the wanted positions
	lse         []float32 // their log-sum-exp, of logits over temperature
	entropies   []float32 // their entropies
	logp, ent   []float32 // what Forward gave

	acts        []activations
	probs       [][]float32 // of each layer, Heads x T x T; all are one where they are too large to be kept
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

// Forward gives for every i with want[i] the log-probability of tokens[i+1] after tokens[:i+1] when sampled at a
// temperature, and the entropy in nats of the distribution it is drawn from; both have len(tokens)-1 elements and are
// 0 where not wanted. want has as many elements, or more, which are ignored. A temperature of 0 is taken as 1. Its
// result is valid until the next Forward. It panics on tokens outside the vocabulary and on sequences that are empty or
// longer than the context.
func (p *Pass) Forward(tokens []int32, want []bool, temperature float32) (logp, entropy []float32) {
	c := p.model.Config
	p.check(tokens, want)
	if temperature == 0 {
		temperature = 1
	}
	p.look()
	T := len(tokens)
	p.tokens, p.temperature = append(p.tokens[:0], tokens...), temperature
	p.wanted = p.wanted[:0]
	for i, w := range want[:T-1] {
		if w {
			p.wanted = append(p.wanted, int32(i))
		}
	}
	// What follows the last wanted position is seen by none that are wanted.
	p.length = 0
	if n := len(p.wanted); n > 0 {
		p.length = int(p.wanted[n-1]) + 1
		p.grow(p.length)
		p.through(p.length)
		p.predict()
	}

	p.logp, p.ent = resize(p.logp, T-1), resize(p.ent, T-1)
	clear(p.logp)
	clear(p.ent)
	p.row = resize(p.row, c.Vocab)
	for w, i := range p.wanted {
		p.logp[i], p.ent[i] = p.judge(w, tokens[i+1])
	}
	return p.logp, p.ent
}

func (p *Pass) check(tokens []int32, want []bool) {
	c := p.model.Config
	if len(tokens) == 0 || len(tokens) > c.Context {
		panic(fmt.Sprintf("transformer: a sequence of %d tokens does not fit a context of %d", len(tokens), c.Context))
	}
	if len(want) < len(tokens)-1 {
		panic(fmt.Sprintf("transformer: %d tokens and only %d wants", len(tokens), len(want)))
	}
	for i, t := range tokens {
		if t < 0 || int(t) >= c.Vocab {
			panic(fmt.Sprintf("transformer: token %d at %d is not of the vocabulary of %d", t, i, c.Vocab))
		}
	}
}

// through computes the residual stream of all layers.
func (p *Pass) through(T int) {
	m, c := p.model, p.model.Config
	D, F := c.Dim, c.Hidden
	for i, t := range p.tokens[:T] {
		m.embedding(t, p.acts[0].x[i*D:(i+1)*D])
	}
	for li := range m.layers {
		l, a := &m.layers[li], &p.acts[li]
		rmsNorm(p.n, a.inv1, a.x, l.norm1, T, c.NormEps)
		p.times(1, li, placeQKV, T, p.n, a.qkv, false, &p.lowX)
		addBias(a.qkv, l.bias, T)
		m.rotate(a.qkv, T, 1)
		p.attend(li, T)
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

// predict computes the logits of the wanted positions only: a vocabulary is wide, and most tokens of a rollout are
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

// judge gives log-probability and entropy at a wanted row: with z the logits over the temperature and L their
// log-sum-exp, log p(y) = z_y - L and H = L - sum p z.
func (p *Pass) judge(w int, target int32) (logp, entropy float32) {
	V := p.model.Config.Vocab
	z, s := p.logits[w*V:(w+1)*V], 1/p.temperature
	top := tensor.Max(z) * s
	sum := tensor.Exp(p.row, z, s, -top)
	p.lse[w] = top + float32(math.Log(float64(sum)))
	p.entropies[w] = p.lse[w] - s*tensor.Dot(p.row, z)/sum
	return z[target]*s - p.lse[w], p.entropies[w]
}

// maxProbs is how many attention probabilities of a sequence are kept for the way back: 64 MiB of them.
const maxProbs = 1 << 24

// grow makes room for a sequence of T tokens.
func (p *Pass) grow(T int) {
	c := p.model.Config
	D, F := c.Dim, c.Hidden
	for i := range p.acts {
		if i > 0 && p.frozen { // no way back: a layer's values are those of the one before, overwritten
			p.acts[i], p.probs[i] = p.acts[0], p.probs[0]
			continue
		}
		a := &p.acts[i]
		a.x, a.inv1, a.qkv, a.att = resize(a.x, T*D), resize(a.inv1, T), resize(a.qkv, T*c.qkvDim()), resize(a.att, T*D)
		a.x2, a.inv2, a.gateUp = resize(a.x2, T*D), resize(a.inv2, T), resize(a.gateUp, T*2*F)
		if i == 0 || p.keepsProbs(T) {
			p.probs[i] = resize(p.probs[i], c.Heads*T*T)
		} else {
			p.probs[i] = p.probs[0]
		}
	}
	p.x, p.n, p.inner = resize(p.x, T*D), resize(p.n, T*D), resize(p.inner, T*F)
}

// keepsProbs says whether each layer's attention probabilities are kept for the way back, or computed again there.
func (p *Pass) keepsProbs(T int) bool {
	return p.model.Config.Layers*p.model.Config.Heads*T*T <= p.most
}

// resize gives a slice of n elements: s itself where it is large enough. Its contents are undefined.
func resize(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	return s[:n]
}

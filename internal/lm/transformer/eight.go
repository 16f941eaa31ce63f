package transformer

import (
	"sync"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// eight is the matrices of a model in eight bits.
type eight struct {
	forth packed
	embed *tensor.Packed // Vocab x Dim: read row by row
	once  sync.Once
	back  packed // the same turned, made when derivatives first come back
}

// InEightBits is the model with its matrices rounded to eight bits (see [tensor.PackInt8]); norms and biases stay. Passes
// that only read, or train an adapter, compute with it, and decoders: a quarter of the memory, and few rows are faster. It
// has no Params, and no adapter can be merged into it: one is computed beside it (Dettmers et al. 2023, arXiv:2305.14314,
// in eight bits).
func (m *Model) InEightBits() *Model {
	c := m.Config
	e := &eight{embed: tensor.PackInt8(c.Vocab, c.Dim, m.embed), forth: packed{layers: make([][places]*tensor.Packed, c.Layers)}}
	if e.forth.head = e.embed; c.Untied {
		e.forth.head = tensor.PackInt8(c.Vocab, c.Dim, m.head)
	}
	n := &Model{Config: c, layers: make([]layer, c.Layers), cos: m.cos, sin: m.sin, eight: e}
	// Copies: the model in 32 bits need not stay for them.
	n.norm = append(n.norm, m.norm...)
	for i, l := range m.layers {
		for place := range places {
			out, in := c.shape(place)
			e.forth.layers[i][place] = tensor.PackInt8(out, in, l.matrix(place))
		}
		to := &n.layers[i]
		to.norm1, to.norm2, to.bias = append(to.norm1, l.norm1...), append(to.norm2, l.norm2...), append(to.bias, l.bias...)
	}
	return n
}

// EightBits says whether the matrices are in eight bits.
func (m *Model) EightBits() bool { return m.eight != nil }

// turned is the matrices by which derivatives come back.
func (e *eight) turned() *packed {
	e.once.Do(func() {
		e.back = packed{head: e.forth.head.Turn(), layers: make([][places]*tensor.Packed, len(e.forth.layers))}
		for i, l := range e.forth.layers {
			for p, w := range l {
				e.back.layers[i][p] = w.Turn()
			}
		}
	})
	return &e.back
}

// embedding writes a token's.
func (m *Model) embedding(token int32, to []float32) {
	if m.eight != nil {
		m.eight.embed.Row(int(token), to)
		return
	}
	copy(to, m.embed[int(token)*m.Config.Dim:])
}

// beside is an adapter as products read it, computed beside a model that it cannot be folded into.
type beside struct {
	scale  float32
	layers [][places]besidePlace
}

type besidePlace struct {
	a *tensor.Packed   // all maps' A
	b []*tensor.Packed // each map's B
}

// fill packs an adapter, always of the same shape.
func (s *beside) fill(a *Adapter) {
	s.scale = a.scale()
	if s.layers == nil {
		s.layers = make([][places]besidePlace, len(a.layers))
	}
	for i := range a.layers {
		for p, w := range a.layers[i] {
			to := &s.layers[i][p]
			repack(&to.a, len(w.b)*a.Rank, w.in, w.a)
			if to.b == nil {
				to.b = make([]*tensor.Packed, len(w.b))
			}
			for j, b := range w.b {
				repack(&to.b[j], w.outs[j], a.Rank, b)
			}
		}
	}
}

// add adds to y, of rows of n, what the adapter makes of x.
func (s *beside) add(cores, layer, place, rows int, x, y []float32, n int, low *[]float32) {
	w := &s.layers[layer][place]
	in, all := w.a.Shape()
	*low = resize(*low, rows*all)
	tensor.GemmPacked(cores, false, rows, x, in, w.a, *low, all, false)
	tensor.Scale(*low, s.scale)
	at := 0
	for j, b := range w.b {
		rank, out := b.Shape()
		tensor.GemmPacked(cores, false, rows, (*low)[j*rank:], all, b, y[at:], n, true)
		at += out
	}
}

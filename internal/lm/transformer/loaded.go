package transformer

import (
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// loaded is what passes over one model and adapter compute with, made once for all of them and anew where either has
// changed. It is safe for concurrent use as long as nobody writes to the model or the adapter.
type loaded struct {
	base    *Model
	adapter *Adapter // nil: the model itself is trained, or nothing
	frozen  bool     // nothing is trained

	mu     sync.Mutex
	model  *Model    // base with the adapter folded in, or base itself
	packed packed    // the same, as products read it
	seen   []float32 // what is trained, as it was when packed was made
}

func load(m *Model, a *Adapter, frozen bool) *loaded {
	w := &loaded{base: m, adapter: a, model: m, frozen: frozen}
	if a != nil {
		w.model = m.Merge(a)
	}
	return w
}

// look takes over what has changed. To compare costs far less than to fold and pack, and a batch has many sequences
// between two changes. Below an adapter nothing is compared: the model stays as it is.
func (w *loaded) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.base.flat
	switch {
	case w.adapter != nil:
		now = w.adapter.flat
	case w.frozen:
		now = w.base.norm // enough to see that it was never looked at
	}
	if slices.Equal(now, w.seen) {
		return
	}
	w.seen = append(w.seen[:0], now...)
	if w.adapter != nil {
		w.model.Fold(w.base, w.adapter)
	}
	w.packed.fill(w.model)
}

// packed is a model's matrices in the order in which products read them: transposed, since a map's output is xW'.
type packed struct {
	head   *tensor.Packed
	layers []packedLayer
}

type packedLayer struct{ qkv, o, gateUp, down *tensor.Packed }

// fill packs the weights of a model, always of the same shape.
func (p *packed) fill(m *Model) {
	D, F := m.Config.Dim, m.Config.Hidden
	pack := func(to **tensor.Packed, out, in int, w []float32) {
		if *to == nil {
			*to = tensor.Pack(true, out, in, w, in)
			return
		}
		(*to).Fill(true, w, in)
	}
	pack(&p.head, m.Config.Vocab, D, m.head)
	if p.layers == nil {
		p.layers = make([]packedLayer, len(m.layers))
	}
	for i := range m.layers {
		l, to := &m.layers[i], &p.layers[i]
		pack(&to.qkv, m.Config.qkvDim(), D, l.qkv)
		pack(&to.o, D, D, l.o)
		pack(&to.gateUp, 2*F, D, l.gateUp)
		pack(&to.down, D, F, l.down)
	}
}

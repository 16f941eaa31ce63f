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

	mu    sync.Mutex
	model *Model    // base with the adapter folded in, or base itself
	maps            // the same, as products read it
	seen  []float32 // what is trained, as it was when packed was made
}

func load(m *Model, a *Adapter, frozen bool) *loaded {
	w := &loaded{base: m, adapter: a, model: m, frozen: frozen}
	switch {
	case m.eight != nil && a == nil && !frozen:
		panic("transformer: a model in eight bits is not trained itself")
	case m.eight != nil && a != nil:
		w.beside = &beside{}
	case a != nil:
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
	switch {
	case w.beside != nil:
		w.beside.fill(w.adapter)
	case w.adapter != nil:
		w.model.Fold(w.base, w.adapter)
	}
	w.fill(w.model)
}

// The places of a layer that multiply, in an adapterLayer's order.
const (
	placeQKV = iota
	placeO
	placeGateUp
	placeDown
	places
)

// shape is how many outputs and inputs a place has.
func (c Config) shape(place int) (out, in int) {
	out = [places]int{c.qkvDim(), c.Dim, 2 * c.Hidden, c.Dim}[place]
	if in = c.Dim; place == placeDown {
		in = c.Hidden
	}
	return out, in
}

// matrix is the weights of a place.
func (l *layer) matrix(place int) []float32 {
	return [places][]float32{l.qkv, l.o, l.gateUp, l.down}[place]
}

// packed is a model's matrices in the order in which products read them: transposed, since a map's output is xW'.
type packed struct {
	head   *tensor.Packed
	layers [][places]*tensor.Packed
}

// maps are a model's linear maps, and an adapter that is computed beside them.
type maps struct {
	packed
	beside *beside // nil: there is none, or it is folded in
}

// times sets y to what a place of a layer makes of rows of x, or adds it to y. low is working memory of the caller's.
func (w *maps) times(cores, layer, place, rows int, x, y []float32, add bool, low *[]float32) {
	m := w.layers[layer][place]
	in, out := m.Shape()
	tensor.GemmPacked(cores, false, rows, x, in, m, y, out, add)
	if w.beside != nil {
		w.beside.add(cores, layer, place, rows, x, y, out, low)
	}
}

// fill packs the weights of a model, always of the same shape; those of a model in eight bits are packed already.
func (p *packed) fill(m *Model) {
	if m.eight != nil {
		*p = m.eight.forth
		return
	}
	repack(&p.head, m.Config.Vocab, m.Config.Dim, m.head)
	if p.layers == nil {
		p.layers = make([][places]*tensor.Packed, len(m.layers))
	}
	for i := range m.layers {
		for place := range places {
			out, in := m.Config.shape(place)
			repack(&p.layers[i][place], out, in, m.layers[i].matrix(place))
		}
	}
}

// repack packs a map's weights, in the memory of those before.
func repack(to **tensor.Packed, out, in int, w []float32) {
	if *to == nil {
		*to = tensor.Pack(true, out, in, w, in)
		return
	}
	(*to).Fill(true, w, in)
}

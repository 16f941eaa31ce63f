package transformer

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// Row is one token of one conversation.
type Row struct {
	Slot  int   // which conversation
	Pos   int   // its place there; the first token's is 0
	Token int32 // what stands there
	Want  bool  // the logits of what follows are wanted
}

// Decoder computes what follows, of many conversations at once, and keeps the keys and values of what it has seen.
// It is not safe for concurrent use.
type Decoder struct {
	model *Model
	maps
	cores int
	cache
	step int // number of the current Step

	out    [][]float32
	logits []float32 // of the wanted rows of a Step

	x, normed, inv, qkv, att, gateUp, inner, low []float32
	cohorts                                      [][]int   // rows that begin with the same page
	reading                                      []reading // of each core
}

// chunkRows is how many rows go through the layers together: enough to keep the processor busy, few enough to stay in its
// cache.
const chunkRows = 96

// NewDecoder makes a decoder for a number of conversations at once, which computes on so many cores.
func NewDecoder(m *Model, slots, cores int) *Decoder {
	d := &Decoder{cache: cache{slots: make([]slot, slots)}, cores: max(cores, 1)}
	d.reading = make([]reading, d.cores)
	d.Use(m, nil)
	return d
}

// Use changes the weights, and forgets all conversations. An adapter, unless it is nil, is computed beside the model. It
// panics if the shape is another than before.
func (d *Decoder) Use(m *Model, a *Adapter) {
	if d.model != nil && d.model.Config != m.Config {
		panic("transformer: the new weights are of another shape than the old")
	}
	if d.model != nil && d.model.eight != nil {
		d.packed = packed{} // it is that model's own
	}
	d.model = m
	d.fill(m)
	if a == nil {
		d.beside = nil
	} else {
		if a.config != m.Config {
			panic("transformer: the adapter is of another shape than the model")
		}
		if d.beside == nil {
			d.beside = &beside{}
		}
		d.beside.fill(a)
	}
	for i := range d.slots {
		d.slots[i].filled = 0
	}
}

// Step takes tokens of any number of conversations and gives the logits behind the wanted ones, in order, valid until
// the next Step or Use. The rows of one conversation come in the order of their positions without a gap, and follow
// what it had before; a row at an earlier position forgets all from there on, so a row at position 0 begins anew. A
// row's logits depend on its conversation's tokens alone, to the bit: not on the other rows, nor on how many steps its
// tokens came in. It panics on a row that is none of these.
func (d *Decoder) Step(rows []Row) [][]float32 {
	d.step++
	wanted := 0
	for _, r := range rows {
		d.admit(r)
		if r.Want {
			wanted++
		}
	}
	V := d.model.Config.Vocab
	d.logits, d.out = resize(d.logits, wanted*V), d.out[:0]
	for i := 0; i < len(rows); i += chunkRows {
		chunk := rows[i:min(i+chunkRows, len(rows))]
		d.through(chunk)
		d.predict(chunk)
	}
	return d.out
}

// admit checks a row and makes room for it.
func (d *Decoder) admit(r Row) {
	c := d.model.Config
	switch {
	case r.Slot < 0 || r.Slot >= len(d.slots):
		panic(fmt.Sprintf("transformer: slot %d of %d", r.Slot, len(d.slots)))
	case r.Token < 0 || int(r.Token) >= c.Vocab:
		panic(fmt.Sprintf("transformer: token %d is not of the vocabulary of %d", r.Token, c.Vocab))
	case r.Pos < 0 || r.Pos >= c.Context:
		panic(fmt.Sprintf("transformer: position %d is not of the context of %d", r.Pos, c.Context))
	}
	s := &d.slots[r.Slot]
	if r.Pos > s.filled || s.step == d.step && r.Pos < s.filled {
		panic(fmt.Sprintf("transformer: position %d does not follow the %d of slot %d", r.Pos, s.filled, r.Slot))
	}
	s.filled, s.step = r.Pos+1, d.step
	d.own(s, r.Pos/pagePositions, c.Layers*2*c.kvDim()*pagePositions)
}

// through takes the rows through all layers.
func (d *Decoder) through(rows []Row) {
	m, c, n := d.model, d.model.Config, len(rows)
	D, F, Q, half := c.Dim, c.Hidden, c.qkvDim(), c.HeadDim()/2
	turned := Q - c.kvDim()
	d.x, d.normed, d.inv = resize(d.x, n*D), resize(d.normed, n*D), resize(d.inv, n)
	d.qkv, d.att, d.gateUp, d.inner = resize(d.qkv, n*Q), resize(d.att, n*D), resize(d.gateUp, n*2*F), resize(d.inner, n*F)
	for i, r := range rows {
		m.embedding(r.Token, d.x[i*D:(i+1)*D])
	}
	d.group(rows)
	for li := range m.layers {
		l := &m.layers[li]
		rmsNorm(d.normed, d.inv, d.x, l.norm1, n, c.NormEps)
		d.times(d.cores, li, placeQKV, n, d.normed, d.qkv, false, &d.low)
		addBias(d.qkv, l.bias, n)
		for i, r := range rows {
			row := d.qkv[i*Q : (i+1)*Q]
			tensor.Rotate(row[:turned], m.cos[r.Pos*half:(r.Pos+1)*half], m.sin[r.Pos*half:(r.Pos+1)*half], 1)
			d.keep(c, li, r, row[D:])
		}
		d.attendAll(li, rows)
		d.times(d.cores, li, placeO, n, d.att, d.x, true, &d.low)
		rmsNorm(d.normed, d.inv, d.x, l.norm2, n, c.NormEps)
		d.times(d.cores, li, placeGateUp, n, d.normed, d.gateUp, false, &d.low)
		swiGLU(d.inner, d.gateUp, n, F)
		d.times(d.cores, li, placeDown, n, d.inner, d.x, true, &d.low)
	}
}

// predict computes the logits of the wanted rows of a chunk.
func (d *Decoder) predict(rows []Row) {
	c, n := d.model.Config, 0
	D, V := c.Dim, c.Vocab
	for i, r := range rows {
		if r.Want {
			copy(d.x[n*D:(n+1)*D], d.x[i*D:(i+1)*D])
			n++
		}
	}
	if n == 0 {
		return
	}
	rmsNorm(d.normed, d.inv, d.x, d.model.norm, n, c.NormEps)
	at := len(d.out) * V
	tensor.GemmPacked(d.cores, false, n, d.normed, D, d.head, d.logits[at:], V, false)
	for range n {
		d.out = append(d.out, d.logits[at:at+V:at+V])
		at += V
	}
}

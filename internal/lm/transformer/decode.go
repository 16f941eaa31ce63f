package transformer

import (
	"fmt"
	"math"

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
	model  *Model
	packed packed
	cache  []slot
	step   int // number of the current Step

	out    [][]float32
	logits []float32 // of the wanted rows of a Step

	x, normed, inv, qkv, att, gateUp, inner, scores []float32
}

// slot is the cache of one conversation.
type slot struct {
	pages  [][]float32 // pagePositions positions each; kept for the next conversation
	filled int         // positions that hold a token
	step   int         // the last Step that had a row of it
}

const (
	// pagePositions is how many positions a page of the cache holds. Most conversations end long before the context
	// does, so a cache for all of it would be mostly empty.
	pagePositions = 128
	keyStrip      = 32 // positions whose keys lie together: as many as a kernel takes at once
	// chunkRows is how many rows go through the layers together: enough to keep the processor busy, few enough to
	// stay in its cache.
	chunkRows = 96
)

// NewDecoder makes a decoder for a number of conversations at once.
func NewDecoder(m *Model, slots int) *Decoder {
	d := &Decoder{cache: make([]slot, slots)}
	d.Use(m)
	return d
}

// Use changes the weights, and forgets all conversations. It panics if the shape is another than before.
func (d *Decoder) Use(m *Model) {
	if d.model != nil && d.model.Config != m.Config {
		panic("transformer: the new weights are of another shape than the old")
	}
	d.model = m
	d.packed.fill(m)
	for i := range d.cache {
		d.cache[i].filled = 0
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
	case r.Slot < 0 || r.Slot >= len(d.cache):
		panic(fmt.Sprintf("transformer: slot %d of %d", r.Slot, len(d.cache)))
	case r.Token < 0 || int(r.Token) >= c.Vocab:
		panic(fmt.Sprintf("transformer: token %d is not of the vocabulary of %d", r.Token, c.Vocab))
	case r.Pos < 0 || r.Pos >= c.Context:
		panic(fmt.Sprintf("transformer: position %d is not of the context of %d", r.Pos, c.Context))
	}
	s := &d.cache[r.Slot]
	if r.Pos > s.filled || s.step == d.step && r.Pos < s.filled {
		panic(fmt.Sprintf("transformer: position %d does not follow the %d of slot %d", r.Pos, s.filled, r.Slot))
	}
	s.filled, s.step = r.Pos+1, d.step
	if r.Pos/pagePositions == len(s.pages) {
		s.pages = append(s.pages, make([]float32, c.Layers*2*c.Dim*pagePositions))
	}
}

// through takes the rows through all layers.
func (d *Decoder) through(rows []Row) {
	m, c, n := d.model, d.model.Config, len(rows)
	D, F, half := c.Dim, c.Hidden, c.HeadDim()/2
	d.x, d.normed, d.inv = resize(d.x, n*D), resize(d.normed, n*D), resize(d.inv, n)
	d.qkv, d.att, d.gateUp, d.inner = resize(d.qkv, n*3*D), resize(d.att, n*D), resize(d.gateUp, n*2*F), resize(d.inner, n*F)
	for i, r := range rows {
		copy(d.x[i*D:(i+1)*D], m.embed[int(r.Token)*D:])
	}
	for li := range m.layers {
		l, w := &m.layers[li], &d.packed.layers[li]
		rmsNorm(d.normed, d.inv, d.x, l.norm1, n, c.NormEps)
		tensor.GemmPacked(false, n, d.normed, D, w.qkv, d.qkv, 3*D, false)
		for i, r := range rows {
			row := d.qkv[i*3*D : (i+1)*3*D]
			tensor.Rotate(row[:2*D], m.cos[r.Pos*half:(r.Pos+1)*half], m.sin[r.Pos*half:(r.Pos+1)*half], 1)
			d.keep(li, r, row)
		}
		for i, r := range rows {
			d.attend(li, r, d.qkv[i*3*D:i*3*D+D], d.att[i*D:(i+1)*D])
		}
		tensor.GemmPacked(false, n, d.att, D, w.o, d.x, D, true)
		rmsNorm(d.normed, d.inv, d.x, l.norm2, n, c.NormEps)
		tensor.GemmPacked(false, n, d.normed, D, w.gateUp, d.gateUp, 2*F, false)
		swiGLU(d.inner, d.gateUp, n, F)
		tensor.GemmPacked(false, n, d.inner, F, w.down, d.x, D, true)
	}
}

// layerPage is one layer's keys and values of one page, head after head. Values lie by position, then dimension. Keys
// lie in strips of keyStrip positions, in a strip by dimension, then position. Both ways one query is a row times a
// matrix, computed along the row, which reads the cache from one end to the other.
func (d *Decoder) layerPage(s *slot, page, layer int) (keys, values []float32) {
	n := d.model.Config.Dim * pagePositions
	at := s.pages[page][2*layer*n:]
	return at[:n], at[n : 2*n]
}

// keep stores the key and the value of a row.
func (d *Decoder) keep(layer int, r Row, qkv []float32) {
	c := d.model.Config
	D, W, at := c.Dim, c.HeadDim(), r.Pos%pagePositions
	keys, values := d.layerPage(&d.cache[r.Slot], r.Pos/pagePositions, layer)
	strip := keys[at/keyStrip*keyStrip*W+at%keyStrip:]
	for h := range c.Heads {
		for i, v := range qkv[D+h*W : D+(h+1)*W] {
			strip[h*W*pagePositions+i*keyStrip] = v
		}
	}
	for h := range c.Heads {
		copy(values[(h*pagePositions+at)*W:(h*pagePositions+at+1)*W], qkv[2*D+h*W:])
	}
}

// attend reads for one row what its conversation holds up to it.
func (d *Decoder) attend(layer int, r Row, query, att []float32) {
	c, s, n := d.model.Config, &d.cache[r.Slot], r.Pos+1
	W := c.HeadDim()
	scale := float32(1 / math.Sqrt(float64(W)))
	d.scores = resize(d.scores, (n+pagePositions-1)/pagePositions*pagePositions)
	for h := range c.Heads {
		// The last strip is computed whole: the part after the row is ignored.
		for p := 0; p < n; p += keyStrip {
			keys, _ := d.layerPage(s, p/pagePositions, layer)
			strip := keys[(h*pagePositions+p%pagePositions)*W:]
			tensor.RowTimes(d.scores[p:p+keyStrip], query[h*W:(h+1)*W], strip, keyStrip, false)
		}
		tensor.Softmax(d.scores[:n], scale)
		out := att[h*W : (h+1)*W]
		for p := 0; p < n; p += pagePositions {
			_, values := d.layerPage(s, p/pagePositions, layer)
			tensor.RowTimes(out, d.scores[p:min(p+pagePositions, n)], values[h*W*pagePositions:], W, p > 0)
		}
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
	tensor.GemmPacked(false, n, d.normed, D, d.packed.embed, d.logits[at:], V, false)
	for range n {
		d.out = append(d.out, d.logits[at:at+V:at+V])
		at += V
	}
}

package transformer

import (
	"math"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
)

// attendRows is how many queries are taken at once: keys behind the last of them are not looked at, so that about
// half of the square of a long sequence is never computed.
const attendRows = 96

// attention says where heads lie in an array of rows of queries, keys and values, and which rows see which.
type attention struct {
	*layout
	Config
	width    int // of a row
	headSize int
	scale    float32
}

func (p *Pass) attention() attention {
	c := p.model.Config
	return attention{layout: &p.layout, Config: c, width: c.qkvDim(), headSize: c.HeadDim(),
		scale: float32(1 / math.Sqrt(float64(c.HeadDim())))}
}

// of are the queries of a head and the keys and values that it reads; groups of heads share them (Ainslie et al. 2023,
// arXiv:2305.13245).
func (t *attention) of(qkv []float32, head int) (q, k, v []float32) {
	shared := head / (t.Heads / t.KVHeads) * t.headSize
	return qkv[head*t.headSize:], qkv[t.Dim+shared:], qkv[t.Dim+t.kvDim()+shared:]
}

// block is queries of a branch that are taken at once: rows from row on, and where the n positions up to the last of them
// lie.
type block struct {
	row, rows, n int
	spans        []span
}

// blocks calls fn for all of them.
func (l *layout) blocks(fn func(b block)) {
	for _, br := range l.branches {
		for row := br.row; row < br.row+br.n; row += attendRows {
			rows := min(attendRows, br.row+br.n-row)
			fn(block{row: row, rows: rows, n: int(l.at[row]) + rows, spans: l.spans[br.first:br.last]})
		}
	}
}

// each calls fn for the stretches of rows in which the positions lie that a block looks at, the first of them at position
// at.
func (b *block) each(fn func(at, row, n int)) {
	at := 0
	for _, s := range b.spans {
		if n := min(s.n, b.n-at); n > 0 {
			fn(at, s.row, n)
			at += n
		}
	}
}

// score writes the probabilities with which a block's queries of a head look at the positions up to themselves.
func (t *attention) score(P, q, k []float32, b *block) {
	L := t.longest
	b.each(func(at, row, n int) {
		tensor.Gemm(false, true, b.rows, n, t.headSize, q[b.row*t.width:], t.width, k[row*t.width:], t.width, P[b.row*L+at:], L, false)
	})
	for i := b.row; i < b.row+b.rows; i++ {
		n := int(t.at[i]) + 1
		tensor.Softmax(P[i*L:i*L+n], t.scale)
		clear(P[i*L+n : i*L+b.n])
	}
}

// attend computes causal attention of all heads of a layer (Vaswani et al. 2017, eq. 1).
func (p *Pass) attend(layer int) {
	a, t := &p.acts[layer], p.attention()
	D, W, L := t.Dim, t.headSize, t.longest
	for h := range t.Heads {
		P := p.probsOf(layer, h)
		q, k, v := t.of(a.qkv, h)
		t.blocks(func(b block) {
			t.score(P, q, k, &b)
			b.each(func(at, row, n int) {
				tensor.Gemm(false, false, b.rows, W, n, P[b.row*L+at:], L, v[row*t.width:], t.width, a.att[b.row*D+h*W:], D, at > 0)
			})
		})
	}
}

// attendBack writes to dqkv what datt is worth at the rotated queries and keys and the values.
func (p *Pass) attendBack(layer int, dqkv, datt []float32) {
	a, t, T := &p.acts[layer], p.attention(), len(p.tokens)
	D, W, Q, L, again := t.Dim, t.headSize, t.width, t.longest, !p.keepsProbs()
	p.dprobs = resize(p.dprobs, attendRows*L)
	clear(dqkv[:T*Q])
	for h := range t.Heads {
		P := p.probsOf(layer, h)
		q, k, v := t.of(a.qkv, h)
		dq, dk, dv := t.of(dqkv, h)
		t.blocks(func(b block) {
			if again {
				t.score(P, q, k, &b)
			}
			do := datt[b.row*D+h*W:]
			b.each(func(at, row, n int) {
				tensor.Gemm(false, true, b.rows, n, W, do, D, v[row*Q:], Q, p.dprobs[at:], L, false)
				tensor.Gemm(true, false, n, W, b.rows, P[b.row*L+at:], L, do, D, dv[row*Q:], Q, true)
			})
			for i := range b.rows {
				tensor.SoftmaxBack(p.dprobs[i*L:i*L+b.n], P[(b.row+i)*L:(b.row+i)*L+b.n], t.scale)
			}
			b.each(func(at, row, n int) {
				tensor.Gemm(false, false, b.rows, W, n, p.dprobs[at:], L, k[row*Q:], Q, dq[b.row*Q:], Q, at > 0)
				tensor.Gemm(true, false, n, W, b.rows, p.dprobs[at:], L, q[b.row*Q:], Q, dk[row*Q:], Q, true)
			})
		})
	}
}

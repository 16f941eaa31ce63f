package tensor

import (
	"sync"
	"sync/atomic"
)

// packPanels packs op(B) into g.b.
func (g *gemm) packPanels(tb bool, b []float32, ldb int) {
	for p := range g.panels() {
		j := p * g.cols
		from := b[j:]
		if tb {
			from = b[j*ldb:]
		}
		packPanel(g.b[j*g.k:], g.cols, tb, min(g.cols, g.n-j), g.k, from, ldb)
	}
}

// packPanel writes k rows of cols elements to dst: op(B)'s first w columns, and zeros in the others. b begins with the
// panel's first element. What the zeros give is dropped; leftovers in their place could be denormal, and slow.
func packPanel(dst []float32, cols int, tb bool, w, k int, b []float32, ldb int) {
	if !tb {
		for q := range k {
			d := dst[q*cols:][:cols]
			copy(d, b[q*ldb:][:w])
			clear(d[w:])
		}
		return
	}
	interleave(dst, cols, w, k, b, ldb)
}

// interleave writes k rows of cols elements to dst: element (q, x) is src[x*ld+q] for x below w, and zero above. Four of
// src's rows are read at a time, so that what is written lies close together.
func interleave(dst []float32, cols, w, k int, src []float32, ld int) {
	x := 0
	for ; x+4 <= w; x += 4 {
		s0, s1, s2, s3 := src[x*ld:][:k], src[(x+1)*ld:][:k], src[(x+2)*ld:][:k], src[(x+3)*ld:][:k]
		at := x
		for q, v := range s0 {
			d := dst[at : at+4 : at+4]
			d[0], d[1], d[2], d[3] = v, s1[q], s2[q], s3[q]
			at += cols
		}
	}
	for ; x < w; x++ {
		at := x
		for _, v := range src[x*ld:][:k] {
			dst[at] = v
			at += cols
		}
	}
	for ; x < cols; x++ {
		for at := x; at < k*cols; at += cols {
			dst[at] = 0
		}
	}
}

// packRows packs rows i to i+h of op(A), columns k0 to k0+kc, into to: tiles of rows, in each k by k, its rows beside
// each other; a tile that is not full is filled up with zeros. Tile r begins at r*rows[0]*kBlock.
func (g *gemm) packRows(to []float32, i, h, k0, kc int) {
	for r := 0; r < h; r += g.rows[0] {
		left := min(g.rows[0], h-r)
		if g.inPlace(left) {
			continue
		}
		tall := g.height(left)
		dst := to[r*kBlock:]
		if !g.ta {
			interleave(dst, tall, left, kc, g.a[(i+r)*g.lda+k0:], g.lda)
			continue
		}
		for q := range kc {
			d := dst[q*tall:][:tall]
			copy(d, g.a[(k0+q)*g.lda+i+r:][:left])
			clear(d[left:])
		}
	}
}

// Packed is op(B) in the order in which the kernels read it, for operands that many products share: a weight matrix
// while it is not changed. It holds a copy.
type Packed struct {
	n, k  int
	data  []float32
	eight *eight // in place of data: what [PackInt8] packed
	isa   isa
}

// Pack packs op(B), k x n; with tb, B is stored as n x k (a weight of n outputs and k inputs, as Hugging Face stores it).
func Pack(tb bool, n, k int, b []float32, ldb int) *Packed {
	p := &Packed{n: n, k: k}
	p.Fill(tb, b, ldb)
	return p
}

// Fill packs another B of the same shape in place of what p holds.
func (p *Packed) Fill(tb bool, b []float32, ldb int) {
	checkB("Pack", tb, p.n, p.k, b, ldb)
	g := gemm{n: p.n, k: p.k, tiling: active.tiling()}
	p.isa, p.eight = active, nil
	if len(p.data) != g.packedLen() {
		p.data = make([]float32, g.packedLen())
	}
	if p.n == 0 || p.k == 0 {
		return
	}
	g.b = p.data
	g.packPanels(tb, b, ldb)
}

// Shape is the shape of op(B): k rows, n columns.
func (p *Packed) Shape() (k, n int) { return p.k, p.n }

// GemmPacked is [Gemm] with a packed B: the same bits, without the cost of packing it, on so many cores; on one it runs on
// the caller's goroutine.
func GemmPacked(cores int, ta bool, m int, a []float32, lda int, b *Packed, c []float32, ldc int, acc bool) {
	checkAC("GemmPacked", ta, m, b.n, b.k, a, lda, c, ldc)
	if b.isa != active {
		panic("tensor: GemmPacked: B was packed for the " + b.isa.String() + " kernels")
	}
	g := gemm{ta: ta, m: m, n: b.n, k: b.k, a: a, lda: lda, b: b.data, eight: b.eight, c: c, ldc: ldc, acc: acc,
		isa: active, tiling: active.tiling()}
	if g.trivial() {
		return
	}
	n := g.panels()
	cores = min(cores, 2*m*b.n*b.k/minShare, n)
	if cores <= 1 {
		g.rowsOf(0, n)
		return
	}
	g.sharedOut(cores)
}

// sharedOut deals the panels to cores: of few rows some at a time, to who has done his, since a core may be busy elsewhere.
// It gets a copy, since what goroutines see is allocated.
func (g gemm) sharedOut(cores int) {
	n := g.panels()
	if g.fewRows() {
		g.deal = &deal{most: n, hand: (n + handsOfCore*cores - 1) / (handsOfCore * cores)}
	}
	var wg sync.WaitGroup
	for i := range cores {
		wg.Go(func() { g.rowsOf(i*n/cores, (i+1)*n/cores) })
	}
	wg.Wait()
}

// handsOfCore is how many hands of panels a core has when all are equally fast.
const handsOfCore = 4

// deal hands out panels.
type deal struct {
	next       atomic.Int64
	most, hand int
}

// take gives the next hand; an empty one when there are none left.
func (d *deal) take() (from, to int) {
	to = int(d.next.Add(int64(d.hand)))
	return min(to-d.hand, d.most), min(to, d.most)
}

// minShare is how many operations another core must take off the caller's to be worth its start, which costs microseconds.
const minShare = 1 << 20

// rowsOf computes the columns of C of some panels.
func (g *gemm) rowsOf(from, to int) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	g.allRows(s, from, to)
}

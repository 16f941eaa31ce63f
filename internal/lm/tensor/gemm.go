package tensor

import (
	"fmt"
	"sync"
)

// A product is cut along k into blocks of kBlock: within a block an element is a sum of fused products from zero, and the
// blocks' sums are added in order. These two lines are the whole definition of an element's bits, so kBlock must not
// depend on anything.
const kBlock = 256

// mBlock is how many rows of A are packed at a time: 120 rows of 256 stay in a second-level cache of 256 KiB.
const mBlock = 120

// Gemm computes C = op(A) op(B), or adds it to C where acc is set. All three are row major, and lda, ldb and ldc are the
// distances between their rows' starts, in elements. op(A) is m x k; with ta, A is stored as k x m. op(B) is k x n; with
// tb, B is stored as n x k. C must not overlap A or B.
//
// It runs on the caller's goroutine. It panics where a slice is too short for its shape.
func Gemm(ta, tb bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, acc bool) {
	checkB("Gemm", tb, n, k, b, ldb)
	checkAC("Gemm", ta, m, n, k, a, lda, c, ldc)
	g := gemm{ta: ta, m: m, n: n, k: k, a: a, lda: lda, c: c, ldc: ldc, acc: acc, isa: active, tiling: active.tiling()}
	if g.trivial() {
		return
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	if !tb && m <= g.rows[0] {
		g.direct(b, ldb, s)
		return
	}
	g.b = s.take(&s.b, g.packedLen())
	g.packPanels(tb, b, ldb)
	g.allRows(s, 0, g.panels())
}

func checkB(name string, tb bool, n, k int, b []float32, ldb int) {
	if tb {
		check(name, "B", n, k, ldb, len(b))
	} else {
		check(name, "B", k, n, ldb, len(b))
	}
}

func checkAC(name string, ta bool, m, n, k int, a []float32, lda int, c []float32, ldc int) {
	if ta {
		check(name, "A", k, m, lda, len(a))
	} else {
		check(name, "A", m, k, lda, len(a))
	}
	check(name, "C", m, n, ldc, len(c))
}

// check panics unless rows x cols elements, with rows ld apart, lie within length. Assembly checks no bounds.
func check(name, operand string, rows, cols, ld, length int) {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("tensor: %s: %s has the shape %d x %d", name, operand, rows, cols))
	}
	if rows == 0 || cols == 0 {
		return
	}
	// The quotient instead of the product, which could overflow.
	if ld < cols || cols > length || rows-1 > (length-cols)/ld {
		panic(fmt.Sprintf("tensor: %s: %s of %d x %d with rows %d apart does not fit in %d elements", name, operand, rows, cols, ld, length))
	}
}

// gemm is one product in progress. b holds op(B) packed: panels of cols columns, each k rows of cols elements, the last
// one filled up with zeros.
type gemm struct {
	ta      bool
	m, n, k int
	a       []float32
	lda     int
	b       []float32
	eight   *eight // in place of b
	c       []float32
	ldc     int
	acc     bool
	isa     isa
	deal    *deal // who takes which panels; nil: everybody his own
	tiling
}

func (g *gemm) panels() int    { return (g.n + g.cols - 1) / g.cols }
func (g *gemm) packedLen() int { return g.panels() * g.cols * g.k }

// trivial does the products in which nothing is multiplied.
func (g *gemm) trivial() bool {
	if g.m > 0 && g.n > 0 && g.k > 0 {
		return false
	}
	if g.k == 0 && !g.acc {
		for i := range g.m {
			clear(g.c[i*g.ldc : i*g.ldc+g.n])
		}
	}
	return true
}

// allAtOnce is up to how many elements of few rows of A are packed at once, so that B and C, which are most of what is read
// then, are gone through once from their one end to the other.
const allAtOnce = 1 << 17

func (g *gemm) fewRows() bool { return g.m <= mBlock && g.m*g.k <= allAtOnce }

// allRows computes C from the packed B, in the columns of some panels.
func (g *gemm) allRows(s *scratch, from, to int) {
	if g.fewRows() {
		// Each block of k has room for tiles of rows[0] rows, as in s.a.
		room := (g.m + g.rows[0] - 1) / g.rows[0] * g.rows[0] * kBlock
		packed := s.take(&s.few, (g.k+kBlock-1)/kBlock*room)
		for k0 := 0; k0 < g.k; k0 += kBlock {
			g.packRows(packed[k0/kBlock*room:], 0, g.m, k0, min(kBlock, g.k-k0))
		}
		if g.deal != nil {
			from, to = g.deal.take()
		}
		for from < to {
			for p := from; p < to; p++ {
				for k0 := 0; k0 < g.k; k0 += kBlock {
					kc := min(kBlock, g.k-k0)
					g.panel(packed[k0/kBlock*room:], 0, g.m, k0, kc, p, g.block(p, k0, kc, s), g.cols, s)
				}
			}
			if from = to; g.deal != nil {
				from, to = g.deal.take()
			}
		}
		return
	}
	for i := 0; i < g.m; i += mBlock {
		h := min(mBlock, g.m-i)
		for k0 := 0; k0 < g.k; k0 += kBlock {
			kc := min(kBlock, g.k-k0)
			g.packRows(s.a[:], i, h, k0, kc)
			for p := from; p < to; p++ {
				g.panel(s.a[:], i, h, k0, kc, p, g.block(p, k0, kc, s), g.cols, s)
			}
		}
	}
}

// block is kc rows from k0 on of a panel of the packed B.
func (g *gemm) block(panel, k0, kc int, s *scratch) []float32 {
	if g.eight == nil {
		return g.b[(panel*g.k+k0)*g.cols:]
	}
	to := s.take(&s.wide, kc*g.cols)
	g.widen(to, panel, k0, kc)
	return to
}

// inPlace says whether the tile of so many rows is read where it stands in A: it must be full, and packing only pays
// where many panels share it (measured: from about twelve).
func (g *gemm) inPlace(left int) bool {
	return g.panels() <= 12 && g.height(left) == left
}

// narrow is the set of kernels for a panel of which w columns count, and its width: the half of a wide tile would be
// multiplied for nothing, as where an adapter's rank is 8, and AVX2's tiles are half as wide and have the same bits.
func (g *gemm) narrow(w int) (isa, int) {
	if g.isa == avx512 && w <= g.cols/2 {
		return avx2, g.cols / 2
	}
	return g.isa, g.cols
}

// panel computes the part of C in rows i to i+h and the columns of panel p, for one block of k, from the packed rows.
func (g *gemm) panel(packed []float32, i, h, k0, kc, p int, b []float32, ldb int, s *scratch) {
	j := p * g.cols
	w := min(g.cols, g.n-j)
	acc := g.acc || k0 > 0
	set, cols := g.narrow(w)
	for r := 0; r < h; r += g.rows[0] {
		left := min(g.rows[0], h-r)
		tall := g.height(left)
		a, ar, aq := packed[r*kBlock:], 1, tall
		if g.inPlace(left) {
			if g.ta {
				a, aq = g.a[k0*g.lda+i+r:], g.lda
			} else {
				a, ar, aq = g.a[(i+r)*g.lda+k0:], g.lda, 1
			}
		}
		if left == tall && w == cols {
			set.tiles(tall, kc, a, ar, aq, b, ldb, g.c[(i+r)*g.ldc+j:], g.ldc, acc)
			continue
		}
		set.tiles(tall, kc, a, ar, aq, b, ldb, s.tile[:], cols, false)
		for x := range left {
			row, got := g.c[(i+r+x)*g.ldc+j:][:w], s.tile[x*cols:][:w]
			if !acc {
				copy(row, got)
				continue
			}
			for y, v := range got {
				row[y] += v
			}
		}
	}
}

// direct computes a product of few rows without packing B, which would cost more than the product: its rows are read
// where they stand. Only a last panel that is not full is packed.
func (g *gemm) direct(b []float32, ldb int, s *scratch) {
	for k0 := 0; k0 < g.k; k0 += kBlock {
		kc := min(kBlock, g.k-k0)
		g.packRows(s.a[:], 0, g.m, k0, kc)
		for p := range g.panels() {
			from := b[k0*ldb+p*g.cols:]
			if w := g.n - p*g.cols; w < g.cols {
				last := s.take(&s.b, kc*g.cols)
				packPanel(last, g.cols, false, w, kc, from, ldb)
				g.panel(s.a[:], 0, g.m, k0, kc, p, last, g.cols, s)
				continue
			}
			g.panel(s.a[:], 0, g.m, k0, kc, p, from, ldb, s)
		}
	}
}

// scratch is the working memory of one goroutine in one product.
type scratch struct {
	a    [mBlock * kBlock]float32 // packed rows of A
	tile [maxTile]float32         // a tile that is not wholly part of C
	few  []float32                // packed rows of an A of few
	b    []float32                // packed B
	wide []float32                // a block of it that was in eight bits
}

// take gives n elements of *buf, which grows as needed. Their contents are undefined.
func (s *scratch) take(buf *[]float32, n int) []float32 {
	if cap(*buf) < n {
		*buf = make([]float32, n)
	}
	return (*buf)[:n]
}

// scratches keeps working memory between products. It holds no state: what is taken from it is overwritten.
var scratches = sync.Pool{New: func() any { return new(scratch) }}

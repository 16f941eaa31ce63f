package tensor

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool spreads products over goroutines. Its results are the bits that one goroutine gives. The zero value uses one
// goroutine a processor; a Pool may be used from many goroutines.
type Pool struct {
	// Workers is how many goroutines share a product. Defaults to GOMAXPROCS.
	Workers int
}

// NewPool is a Pool of n goroutines; 0 stands for GOMAXPROCS.
func NewPool(n int) *Pool { return &Pool{Workers: n} }

// minWork is how many multiplications a goroutine must have to be worth starting: about 20 microseconds.
const minWork = 1 << 20

// Gemm is the function of that name over the pool's goroutines.
func (p *Pool) Gemm(ta, tb bool, m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int, acc bool) {
	workers := p.workers(m, n, k)
	if workers < 2 {
		Gemm(ta, tb, m, n, k, a, lda, b, ldb, c, ldc, acc)
		return
	}
	checkB("Gemm", tb, n, k, b, ldb)
	checkAC("Gemm", ta, m, n, k, a, lda, c, ldc)
	g := gemm{ta: ta, m: m, n: n, k: k, a: a, lda: lda, c: c, ldc: ldc, acc: acc, isa: active, tiling: active.tiling()}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	g.b = s.take(&s.b, g.packedLen())
	const some = 4 // panels at a time
	share(workers, (g.panels()+some-1)/some, func(i int) {
		g.packPanels(tb, b, ldb, i*some, min((i+1)*some, g.panels()))
	})
	g.share(workers)
}

// GemmPacked is the function of that name over the pool's goroutines.
func (p *Pool) GemmPacked(ta bool, m int, a []float32, lda int, b *Packed, c []float32, ldc int, acc bool) {
	workers := p.workers(m, b.n, b.k)
	if workers < 2 {
		GemmPacked(ta, m, a, lda, b, c, ldc, acc)
		return
	}
	g, s := packed(ta, m, a, lda, b, c, ldc, acc)
	if s == nil {
		return
	}
	defer scratches.Put(s)
	g.share(workers)
}

func (p *Pool) workers(m, n, k int) int {
	w := p.Workers
	if w <= 0 {
		w = runtime.GOMAXPROCS(0)
	}
	return min(w, int(float64(m)*float64(n)*float64(k)/minWork))
}

// share computes C with so many goroutines, each taking the next block of rows. Blocks are cut so that every goroutine
// gets some, and end where a tile does.
func (g *gemm) share(workers int) {
	tall := g.rows[0]
	tiles := (g.m + tall - 1) / tall
	height := min(mBlock/tall, max(1, tiles/(2*workers))) * tall
	share(workers, (g.m+height-1)/height, func(i int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		g.rowsRange(i*height, min((i+1)*height, g.m), s)
	})
}

// share calls do for 0 to n-1 from so many goroutines, the caller's among them, and returns when all are done.
func share(workers, n int, do func(i int)) {
	var next atomic.Int64
	loop := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var wg sync.WaitGroup
	for range min(workers, n) - 1 {
		wg.Go(loop)
	}
	loop()
	wg.Wait()
}

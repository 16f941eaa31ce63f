//go:build unix

package tensor

import (
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded gives slices that end where memory that may not be touched begins, with a copy of x each.
type guarded struct{ t *testing.T }

func (g guarded) copy(x []float32) []float32 {
	page := os.Getpagesize()
	size := (4*len(x) + page - 1) / page * page
	mem, err := unix.Mmap(-1, 0, size+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { unix.Munmap(mem) })
	if err := unix.Mprotect(mem[size:], unix.PROT_NONE); err != nil {
		g.t.Fatal(err)
	}
	if len(x) == 0 {
		return nil
	}
	got := unsafe.Slice((*float32)(unsafe.Pointer(&mem[size-4*len(x)])), len(x))
	copy(got, x)
	return got
}

// TestNothingBehindASliceIsTouched dies of a segmentation fault where a kernel reads or writes behind its operands.
func TestNothingBehindASliceIsTouched(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		g, rng := guarded{t}, rand.New(rand.NewPCG(10, 10))
		for _, size := range [][3]int{{1, 1, 1}, {1, 33, 5}, {7, 8, 3}, {13, 35, 20}, {12, 32, 4}, {30, 16, 257}, {9, 200, 2}} {
			m, n, k := size[0], size[1], size[2]
			for bits := range 4 {
				// The last row of each ends with its last element, not with its stride.
				p := newProduct(rng, bits&1 > 0, bits&2 > 0, true, m, n, k, 3)
				p.a, p.b, p.c = g.copy(p.a[:len(p.a)-3]), g.copy(p.b[:len(p.b)-3]), g.copy(p.c[:len(p.c)-3])
				Gemm(p.ta, p.tb, m, n, k, p.a, p.lda, p.b, p.ldb, p.c, p.ldc, true)
				GemmPacked(2, p.ta, m, p.a, p.lda, Pack(p.tb, n, k, p.b, p.ldb), p.c, p.ldc, true)
			}
			RowTimes(g.copy(noise(rng, n)), g.copy(noise(rng, k)), g.copy(noise(rng, (k-1)*(n+3)+n)), n+3, true)
		}
		Rotate(g.copy(noise(rng, 128)), g.copy(noise(rng, 32)), g.copy(noise(rng, 32)), 1)
		for _, l := range loops {
			for _, n := range []int{1, 15, 16, 17, 33, 48} {
				x := l.slices32(rng, n)
				for i := range x {
					x[i] = g.copy(x[i])
				}
				l.run(x)
			}
		}
	})
}

package tensor

import "golang.org/x/sys/cpu"

// supported is what this processor and its operating system can run, fastest first.
func supported() []isa {
	var all []isa
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
		all = append(all, avx512)
	}
	return append(all, portable)
}

func (i isa) tiling() tiling {
	switch i {
	case avx512:
		return tiling{cols: 32, rows: []int{12, 8, 4, 1}}
	}
	return portableTiling
}

// tile sets c[rows, cols] (its rows ldc apart) to the product of a[rows, k] (element r,q at a[r*ar+q*aq]) and
// b[k, cols] (its rows ldb apart), or adds the product to it. The callers have checked that all of it is there.
func (i isa) tile(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	n := 0
	if add {
		n = 1
	}
	switch i {
	case avx512:
		tile512(rows, k, &a[0], ar, aq, &b[0], ldb, &c[0], ldc, n)
	default:
		tilePortable(rows, k, a, ar, aq, b, ldb, c, ldc, add)
	}
}

func (i isa) exp(n int, y, x *float32, scale, shift float32) float32 {
	return exp512(n, y, x, scale, shift)
}

func (i isa) dot(n int, a, b *float32) float32 {
	return dot512(n, a, b)
}

func (i isa) axpy(n int, y *float32, s float32, x *float32) {
	axpy512(n, y, s, x)
}

//go:noescape
func tile512(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)

//go:noescape
func exp512(n int, y, x *float32, scale, shift float32) float32

//go:noescape
func dot512(n int, a, b *float32) float32

//go:noescape
func axpy512(n int, y *float32, s float32, x *float32)

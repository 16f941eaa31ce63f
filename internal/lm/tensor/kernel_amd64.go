package tensor

import "golang.org/x/sys/cpu"

// supported is what this processor and its operating system can run, fastest first.
func supported() []isa {
	var all []isa
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
		all = append(all, avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, avx2)
	}
	return append(all, portable)
}

func (i isa) tiling() tiling {
	switch i {
	case avx512:
		return tiling{cols: 32, rows: [4]int{12, 8, 4, 1}}
	case avx2:
		return tiling{cols: 16, rows: [4]int{6, 3, 1}}
	}
	return portableTiling
}

// tile sets c[rows, cols] (its rows ldc apart) to the product of a[rows, k] (element r,q at a[r*ar+q*aq]) and
// b[k, cols] (its rows ldb apart), or adds the product to it. The callers have checked that all of it is there.
func (i isa) tile(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	switch i {
	case avx512:
		tile512(rows, k, &a[0], ar, aq, &b[0], ldb, &c[0], ldc, number(add))
	case avx2:
		tile256(rows, k, &a[0], ar, aq, &b[0], ldb, &c[0], ldc, number(add))
	default:
		tilePortable(rows, k, a, ar, aq, b, ldb, c, ldc, add)
	}
}

// widen writes rows of cols elements, which assembly takes sixteen of at a time: y = scale of the column * x.
func (i isa) widen(rows, cols int, y []float32, x []int8, scale []float32) {
	if i == portable {
		widenPortable(rows, y, x, scale)
		return
	}
	_, _ = y[rows*cols-1], x[rows*cols-1]
	for c := 0; c < cols; c += 16 {
		widen256(rows, cols, &y[c], &x[c], &scale[c])
	}
}

// widenRows is widen with a scale for each row.
func (i isa) widenRows(rows, cols int, y []float32, x []int8, scale []float32) {
	if i == portable {
		widenRowsPortable(cols, y, x, scale)
		return
	}
	_, _ = y[rows*cols-1], x[rows*cols-1]
	for c := 0; c < cols; c += 16 {
		widenRows256(rows, cols, &y[c], &x[c], &scale[0])
	}
}

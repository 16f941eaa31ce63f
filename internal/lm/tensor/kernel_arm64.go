package tensor

// supported is what this processor can run, fastest first. All of arm64 has NEON.
func supported() []isa { return []isa{neon, portable} }

func (i isa) tiling() tiling {
	if i == neon {
		return tiling{cols: 8, rows: [4]int{8, 4, 1}}
	}
	return portableTiling
}

// tile sets c[rows, cols] (its rows ldc apart) to the product of a[rows, k] (element r,q at a[r*ar+q*aq]) and
// b[k, cols] (its rows ldb apart), or adds the product to it. The callers have checked that all of it is there.
func (i isa) tile(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	if i == neon {
		tileNEON(rows, k, &a[0], ar, aq, &b[0], ldb, &c[0], ldc, number(add))
		return
	}
	tilePortable(rows, k, a, ar, aq, b, ldb, c, ldc, add)
}

// widen and widenRows bring eight bits to 32; they are in plain Go here.
func (isa) widen(rows, _ int, y []float32, x []int8, scale []float32) {
	widenPortable(rows, y, x, scale)
}
func (isa) widenRows(_, cols int, y []float32, x []int8, scale []float32) {
	widenRowsPortable(cols, y, x, scale)
}

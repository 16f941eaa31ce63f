package tensor

import "math"

// eightBlock is how many weights share a scale: inputs of one output that follow each other, as in llama.cpp's Q8_0.
const eightBlock = 32

// eight is a packed operand in eight bits: each element is its whole number times its scale.
type eight struct {
	q     []int8    // in the order of Packed.data
	scale []float32 // of a block, in each panel: for all columns, block after block; turned, for all rows
	// turned says that blocks lie along the rows of op(B): a panel is never wider than a block.
	turned bool
}

// PackInt8 packs the weights of a linear map, n outputs x k inputs, rounded to eight bits: 32 inputs of an output share a
// scale, by which the largest of them is 127. What is computed with it are the rounded weights in 32 bits, and the bits of
// a product are those that [Pack] would give of them; it takes a little more than a quarter of the memory.
func PackInt8(n, k int, w []float32) *Packed {
	check("PackInt8", "W", n, k, k, len(w))
	g := gemm{n: n, k: k, tiling: active.tiling()}
	blocks := (k + eightBlock - 1) / eightBlock
	e := &eight{q: make([]int8, g.packedLen()), scale: make([]float32, g.panels()*g.cols*blocks)}
	for i := range n {
		panel, c := i/g.cols, i%g.cols
		for b := range blocks {
			block := w[i*k+b*eightBlock : i*k+min((b+1)*eightBlock, k)]
			scale := largest(block) / math.MaxInt8
			e.scale[(panel*blocks+b)*g.cols+c] = scale
			if scale == 0 {
				continue
			}
			for q, v := range block {
				e.q[(panel*k+b*eightBlock+q)*g.cols+c] = int8(math.RoundToEven(float64(v) / float64(scale)))
			}
		}
	}
	return &Packed{n: n, k: k, eight: e, isa: active}
}

func largest(x []float32) float32 {
	top := float32(0)
	for _, v := range x {
		top = max(top, v, -v)
	}
	return top
}

// Row writes the k weights of an output of what [PackInt8] packed, as they were rounded.
func (p *Packed) Row(output int, to []float32) {
	cols := p.isa.tiling().cols
	panel, c, blocks := output/cols, output%cols, (p.k+eightBlock-1)/eightBlock
	for q := range p.k {
		to[q] = float32(p.eight.q[(panel*p.k+q)*cols+c]) * p.eight.scale[(panel*blocks+q/eightBlock)*cols+c]
	}
}

// Turn is the operand by which derivatives come back through what [PackInt8] packed: the same weights, n rows of k.
func (p *Packed) Turn() *Packed {
	g := gemm{n: p.k, k: p.n, tiling: p.isa.tiling()}
	e := &eight{q: make([]int8, g.packedLen()), scale: make([]float32, g.panels()*g.k), turned: true}
	blocks := (p.k + eightBlock - 1) / eightBlock
	for o := range p.n {
		panel, c := o/g.cols, o%g.cols
		for i := range p.k {
			e.q[(i/g.cols*g.k+o)*g.cols+i%g.cols] = p.eight.q[(panel*p.k+i)*g.cols+c]
		}
		for to := range g.panels() {
			e.scale[to*g.k+o] = p.eight.scale[(panel*blocks+to*g.cols/eightBlock)*g.cols+c]
		}
	}
	return &Packed{n: p.k, k: p.n, eight: e, isa: p.isa}
}

// widen writes kc rows from k0 on of a panel to to, in 32 bits.
func (g *gemm) widen(to []float32, panel, k0, kc int) {
	from := g.eight.q[(panel*g.k+k0)*g.cols:][:kc*g.cols]
	if g.eight.turned {
		g.isa.widenRows(kc, g.cols, to, from, g.eight.scale[panel*g.k+k0:][:kc])
		return
	}
	blocks := (g.k + eightBlock - 1) / eightBlock
	for q := 0; q < kc; q += eightBlock { // k0 is a multiple of kBlock, and so of a block
		scale := g.eight.scale[(panel*blocks+(k0+q)/eightBlock)*g.cols:][:g.cols]
		g.isa.widen(min(eightBlock, kc-q), g.cols, to[q*g.cols:], from[q*g.cols:], scale)
	}
}

// widenPortable writes rows of as many columns as there are scales: y = scale of the column * x.
func widenPortable(rows int, y []float32, x []int8, scale []float32) {
	n := len(scale)
	for r := range rows {
		to, from := y[r*n:(r+1)*n], x[r*n:(r+1)*n]
		for c, s := range scale {
			to[c] = float32(from[c]) * s
		}
	}
}

// widenRowsPortable writes as many rows of cols elements as there are scales: y = scale of the row * x.
func widenRowsPortable(cols int, y []float32, x []int8, scale []float32) {
	for r, s := range scale {
		to, from := y[r*cols:(r+1)*cols], x[r*cols:(r+1)*cols]
		for c, v := range from {
			to[c] = float32(v) * s
		}
	}
}

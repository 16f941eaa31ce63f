package tensor

import "math"

// Plain Go versions of the kernels. Products are converted before they are added, as in float32(x*y) + z: the compiler
// may fuse the two otherwise, on some processors and in some places, and rows would no longer be equal.

// maxTile is the largest tile of any kernel: 12 x 32.
const maxTile = 12 * 32

var portableTiling = tiling{cols: 4, rows: [4]int{2, 1}}

// tilePortable keeps two rows of four in registers; more do not fit on amd64.
func tilePortable(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float32
	if rows == 1 {
		for q := range k {
			r := b[q*ldb : q*ldb+4 : q*ldb+4]
			x := a[q*aq]
			c00 += float32(x * r[0])
			c01 += float32(x * r[1])
			c02 += float32(x * r[2])
			c03 += float32(x * r[3])
		}
		put4(c[:4], c00, c01, c02, c03, add)
		return
	}
	for q := range k {
		r := b[q*ldb : q*ldb+4 : q*ldb+4]
		x, y := a[q*aq], a[q*aq+ar]
		c00 += float32(x * r[0])
		c10 += float32(y * r[0])
		c01 += float32(x * r[1])
		c11 += float32(y * r[1])
		c02 += float32(x * r[2])
		c12 += float32(y * r[2])
		c03 += float32(x * r[3])
		c13 += float32(y * r[3])
	}
	put4(c[:4], c00, c01, c02, c03, add)
	put4(c[ldc:ldc+4], c10, c11, c12, c13, add)
}

func put4(c []float32, x, y, z, w float32, add bool) {
	_ = c[3]
	if add {
		x, y, z, w = c[0]+x, c[1]+y, c[2]+z, c[3]+w
	}
	c[0], c[1], c[2], c[3] = x, y, z, w
}

func expPortable(y, x []float32, scale, shift float32) (sum float32) {
	for i, v := range x {
		e := exp(float32(scale*v) + shift)
		y[i] = e
		sum += e
	}
	return sum
}

// exp is 2^i * exp(r) with i = round(v*log2(e)) and r = v - i*ln2, ln2 in two parts (Cody and Waite), and exp(r) by its
// Taylor series; the assembly does the same with fused operations.
func exp(v float32) float32 {
	t := min(float32(v*math.Log2E), 127)
	if t < -125 {
		return 0
	}
	if t != t {
		return v
	}
	// Adding and taking away 1.5*2^23 rounds to the nearest whole number.
	const round = 3 << 22
	i := float32(t+round) - round
	r := v - float32(i*0.693145751953125)
	r -= float32(i * 1.428606765330187e-06)
	p := float32(1. / 720)
	p = float32(p*r) + 1./120
	p = float32(p*r) + 1./24
	p = float32(p*r) + 1./6
	p = float32(p*r) + 1./2
	p = float32(p*r) + 1
	p = float32(p*r) + 1
	return p * math.Float32frombits(uint32(int32(i)+127)<<23)
}

func dotPortable(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	n := len(a) &^ 3
	for i := 0; i < n; i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
	}
	for i := n; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s2) + (s1 + s3)
}

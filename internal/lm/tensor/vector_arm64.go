package tensor

// Each of these runs the kernel of its name: n elements, a multiple of lanes and not 0. Plain Go is not among them.

func (i isa) exp(n int, y, x *float32, scale, shift float32) float32 {
	return expNEON(n, y, x, scale, shift)
}

func (i isa) dot(n int, a, b *float32) float32 {
	return dotNEON(n, a, b)
}

func (i isa) dot3x(n int, a, b, c *float32) float32 {
	return dot3xNEON(n, a, b, c)
}

func (i isa) max(n int, x *float32) float32 {
	return maxNEON(n, x)
}

func (i isa) axpy(n int, y *float32, s float32, x *float32) {
	axpyNEON(n, y, s, x)
}

func (i isa) scale(n int, y *float32, s float32) {
	scaleNEON(n, y, s)
}

func (i isa) mulAffine(n int, y, x *float32, slope, constant float32) {
	mulAffineNEON(n, y, x, slope, constant)
}

func (i isa) normMul(n int, y, x, w *float32, r float32) {
	normMulNEON(n, y, x, w, r)
}

func (i isa) normBack(n int, dx, dy, x, w *float32, r, s float32) {
	normBackNEON(n, dx, dy, x, w, r, s)
}

func (i isa) mulAdd(n int, y, a, b *float32, s float32) {
	mulAddNEON(n, y, a, b, s)
}

func (i isa) softBack(n int, d, p *float32, s, scale float32) {
	softBackNEON(n, d, p, s, scale)
}

func (i isa) rotate(n, half int, x, cos, sin *float32, dir float32) {
	rotateNEON(n, half, x, cos, sin, dir)
}

func (i isa) gate(n int, h, z, u *float32) {
	gateNEON(n, h, z, u)
}

func (i isa) gateBack(n int, dz, du, dh, z, u *float32) {
	gateBackNEON(n, dz, du, dh, z, u)
}

func (i isa) adam(n int, w, z, m, v *float32, c *[9]float32) {
	adamNEON(n, w, z, m, v, c)
}

func (i isa) rowTimes(n, k int, y, x, b *float32, ldb, add int) {
	rowTimesNEON(n, k, y, x, b, ldb, add)
}

package tensor

// Each of these runs the kernel of its name: n elements, a multiple of lanes and not 0. Plain Go is not among them.

func (i isa) exp(n int, y, x *float32, scale, shift float32) float32 {
	if i == avx512 {
		return exp512(n, y, x, scale, shift)
	}
	return exp256(n, y, x, scale, shift)
}

func (i isa) dot(n int, a, b *float32) float32 {
	if i == avx512 {
		return dot512(n, a, b)
	}
	return dot256(n, a, b)
}

func (i isa) dot3x(n int, a, b, c *float32) float32 {
	if i == avx512 {
		return dot3x512(n, a, b, c)
	}
	return dot3x256(n, a, b, c)
}

func (i isa) max(n int, x *float32) float32 {
	if i == avx512 {
		return max512(n, x)
	}
	return max256(n, x)
}

func (i isa) axpy(n int, y *float32, s float32, x *float32) {
	if i == avx512 {
		axpy512(n, y, s, x)
		return
	}
	axpy256(n, y, s, x)
}

func (i isa) scale(n int, y *float32, s float32) {
	if i == avx512 {
		scale512(n, y, s)
		return
	}
	scale256(n, y, s)
}

func (i isa) mulAffine(n int, y, x *float32, slope, constant float32) {
	if i == avx512 {
		mulAffine512(n, y, x, slope, constant)
		return
	}
	mulAffine256(n, y, x, slope, constant)
}

func (i isa) normMul(n int, y, x, w *float32, r float32) {
	if i == avx512 {
		normMul512(n, y, x, w, r)
		return
	}
	normMul256(n, y, x, w, r)
}

func (i isa) normBack(n int, dx, dy, x, w *float32, r, s float32) {
	if i == avx512 {
		normBack512(n, dx, dy, x, w, r, s)
		return
	}
	normBack256(n, dx, dy, x, w, r, s)
}

func (i isa) mulAdd(n int, y, a, b *float32, s float32) {
	if i == avx512 {
		mulAdd512(n, y, a, b, s)
		return
	}
	mulAdd256(n, y, a, b, s)
}

func (i isa) softBack(n int, d, p *float32, s, scale float32) {
	if i == avx512 {
		softBack512(n, d, p, s, scale)
		return
	}
	softBack256(n, d, p, s, scale)
}

func (i isa) rotate(n, half int, x, cos, sin *float32, dir float32) {
	if i == avx512 {
		rotate512(n, half, x, cos, sin, dir)
		return
	}
	rotate256(n, half, x, cos, sin, dir)
}

func (i isa) gate(n int, h, z, u *float32) {
	if i == avx512 {
		gate512(n, h, z, u)
		return
	}
	gate256(n, h, z, u)
}

func (i isa) gateBack(n int, dz, du, dh, z, u *float32) {
	if i == avx512 {
		gateBack512(n, dz, du, dh, z, u)
		return
	}
	gateBack256(n, dz, du, dh, z, u)
}

func (i isa) adam(n int, w, z, m, v *float32, c *[9]float32) {
	if i == avx512 {
		adam512(n, w, z, m, v, c)
		return
	}
	adam256(n, w, z, m, v, c)
}

func (i isa) rowTimes(n, k int, y, x, b *float32, ldb, add int) {
	if i == avx512 {
		rowTimes512(n, k, y, x, b, ldb, add)
		return
	}
	rowTimes256(n, k, y, x, b, ldb, add)
}

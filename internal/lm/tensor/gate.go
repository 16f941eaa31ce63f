package tensor

// SwiGLU sets h = silu(g)*u with silu(g) = g/(1+exp(-g)) (Shazeer 2020, eq. 6). h may be g or u.
func SwiGLU(h, g, u []float32) {
	same("SwiGLU", len(h), len(g), len(u))
	if active == portable {
		for i, v := range g {
			h[i] = v * u[i] / (1 + exp(-v))
		}
		return
	}
	n := whole(len(h))
	if n > 0 {
		active.gate(n, &h[0], &g[0], &u[0])
	}
	if n < len(h) {
		var p pad
		active.gate(lanes, &p[0][0], p.in(1, g[n:]), p.in(2, u[n:]))
		copy(h[n:], p[0][:])
	}
}

// SwiGLUBack sets dg and du to what dh, the derivative at SwiGLU's h, is worth at g and u.
func SwiGLUBack(dg, du, dh, g, u []float32) {
	same("SwiGLUBack", len(dg), len(du), len(dh), len(g), len(u))
	if active == portable {
		for i, v := range g {
			s := 1 / (1 + exp(-v))
			d := dh[i] * s
			du[i], dg[i] = d*v, d*u[i]*(float32(v*(1-s))+1)
		}
		return
	}
	n := whole(len(dg))
	if n > 0 {
		active.gateBack(n, &dg[0], &du[0], &dh[0], &g[0], &u[0])
	}
	if n < len(dg) {
		var p pad
		active.gateBack(lanes, &p[0][0], &p[1][0], p.in(2, dh[n:]), p.in(3, g[n:]), p.in(4, u[n:]))
		copy(dg[n:], p[0][:])
		copy(du[n:], p[1][:])
	}
}

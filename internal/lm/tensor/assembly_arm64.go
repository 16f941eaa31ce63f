package tensor

// The kernels in assembly. What each does is said where it is written.

//go:noescape
func tileNEON(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)

//go:noescape
func expNEON(n int, y, x *float32, scale, shift float32) float32

//go:noescape
func dotNEON(n int, a, b *float32) float32

//go:noescape
func dot3xNEON(n int, a, b, c *float32) float32

//go:noescape
func maxNEON(n int, x *float32) float32

//go:noescape
func axpyNEON(n int, y *float32, s float32, x *float32)

//go:noescape
func scaleNEON(n int, y *float32, s float32)

//go:noescape
func mulAffineNEON(n int, y, x *float32, slope, constant float32)

//go:noescape
func normMulNEON(n int, y, x, w *float32, r float32)

//go:noescape
func normBackNEON(n int, dx, dy, x, w *float32, r, s float32)

//go:noescape
func mulAddNEON(n int, y, a, b *float32, s float32)

//go:noescape
func softBackNEON(n int, d, p *float32, s, scale float32)

//go:noescape
func rotateNEON(n, half int, x, cos, sin *float32, dir float32)

//go:noescape
func gateNEON(n int, h, z, u *float32)

//go:noescape
func gateBackNEON(n int, dz, du, dh, z, u *float32)

//go:noescape
func adamNEON(n int, w, z, m, v *float32, c *[9]float32)

//go:noescape
func rowTimesNEON(n, k int, y, x, b *float32, ldb, add int)

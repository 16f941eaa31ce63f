package tensor

// The kernels in assembly. What each does is said where it is written.

//go:noescape
func tile512(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)

//go:noescape
func tile256(rows, k int, a *float32, ar, aq int, b *float32, ldb int, c *float32, ldc, add int)

//go:noescape
func exp512(n int, y, x *float32, scale, shift float32) float32

//go:noescape
func exp256(n int, y, x *float32, scale, shift float32) float32

//go:noescape
func dot512(n int, a, b *float32) float32

//go:noescape
func dot256(n int, a, b *float32) float32

//go:noescape
func dot3x512(n int, a, b, c *float32) float32

//go:noescape
func dot3x256(n int, a, b, c *float32) float32

//go:noescape
func max512(n int, x *float32) float32

//go:noescape
func max256(n int, x *float32) float32

//go:noescape
func axpy512(n int, y *float32, s float32, x *float32)

//go:noescape
func axpy256(n int, y *float32, s float32, x *float32)

//go:noescape
func scale512(n int, y *float32, s float32)

//go:noescape
func scale256(n int, y *float32, s float32)

//go:noescape
func mulAffine512(n int, y, x *float32, slope, constant float32)

//go:noescape
func mulAffine256(n int, y, x *float32, slope, constant float32)

//go:noescape
func normMul512(n int, y, x, w *float32, r float32)

//go:noescape
func normMul256(n int, y, x, w *float32, r float32)

//go:noescape
func normBack512(n int, dx, dy, x, w *float32, r, s float32)

//go:noescape
func normBack256(n int, dx, dy, x, w *float32, r, s float32)

//go:noescape
func mulAdd512(n int, y, a, b *float32, s float32)

//go:noescape
func mulAdd256(n int, y, a, b *float32, s float32)

//go:noescape
func softBack512(n int, d, p *float32, s, scale float32)

//go:noescape
func softBack256(n int, d, p *float32, s, scale float32)

//go:noescape
func rotate512(n, half int, x, cos, sin *float32, dir float32)

//go:noescape
func rotate256(n, half int, x, cos, sin *float32, dir float32)

//go:noescape
func gate512(n int, h, z, u *float32)

//go:noescape
func gate256(n int, h, z, u *float32)

//go:noescape
func gateBack512(n int, dz, du, dh, z, u *float32)

//go:noescape
func gateBack256(n int, dz, du, dh, z, u *float32)

//go:noescape
func adam512(n int, w, z, m, v *float32, c *[9]float32)

//go:noescape
func adam256(n int, w, z, m, v *float32, c *[9]float32)

//go:noescape
func rowTimes512(n, k int, y, x, b *float32, ldb, add int)

//go:noescape
func rowTimes256(n, k int, y, x, b *float32, ldb, add int)

//go:noescape
func widen256(rows, cols int, y *float32, x *int8, scale *float32)

//go:noescape
func widenRows256(rows, cols int, y *float32, x *int8, scale *float32)

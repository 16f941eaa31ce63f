//go:build !amd64 && !arm64

package tensor

func supported() []isa { return []isa{portable} }

func (i isa) tiling() tiling { return portableTiling }

func (i isa) tile(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	tilePortable(rows, k, a, ar, aq, b, ldb, c, ldc, add)
}

// The vector kernels are never asked for where active can only be portable.
const none = "tensor: this processor has no kernels in assembly"

func (i isa) exp(n int, y, x *float32, scale, shift float32) float32  { panic(none) }
func (i isa) dot(n int, a, b *float32) float32                        { panic(none) }
func (i isa) dot3x(n int, a, b, c *float32) float32                   { panic(none) }
func (i isa) max(n int, x *float32) float32                           { panic(none) }
func (i isa) axpy(n int, y *float32, s float32, x *float32)           { panic(none) }
func (i isa) scale(n int, y *float32, s float32)                      { panic(none) }
func (i isa) mulAffine(n int, y, x *float32, slope, constant float32) { panic(none) }
func (i isa) normMul(n int, y, x, w *float32, r float32)              { panic(none) }
func (i isa) normBack(n int, dx, dy, x, w *float32, r, s float32)     { panic(none) }
func (i isa) mulAdd(n int, y, a, b *float32, s float32)               { panic(none) }
func (i isa) softBack(n int, d, p *float32, s, scale float32)         { panic(none) }
func (i isa) rotate(n, half int, x, cos, sin *float32, dir float32)   { panic(none) }
func (i isa) gate(n int, h, z, u *float32)                            { panic(none) }
func (i isa) gateBack(n int, dz, du, dh, z, u *float32)               { panic(none) }
func (i isa) adam(n int, w, z, m, v *float32, c *[9]float32)          { panic(none) }
func (i isa) rowTimes(n, k int, y, x, b *float32, ldb, add int)       { panic(none) }

// widen and widenRows bring eight bits to 32; they are in plain Go here.
func (isa) widen(rows, _ int, y []float32, x []int8, scale []float32) {
	widenPortable(rows, y, x, scale)
}
func (isa) widenRows(_, cols int, y []float32, x []int8, scale []float32) {
	widenRowsPortable(cols, y, x, scale)
}

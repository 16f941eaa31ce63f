//go:build !amd64

package tensor

func supported() []isa { return []isa{portable} }

func (i isa) tiling() tiling { return portableTiling }

func (i isa) tile(rows, k int, a []float32, ar, aq int, b []float32, ldb int, c []float32, ldc int, add bool) {
	tilePortable(rows, k, a, ar, aq, b, ldb, c, ldc, add)
}

// There is no assembly here, and active is always portable.
func (i isa) exp(n int, y, x *float32, scale, shift float32) float32 { panic("tensor: no kernel") }
func (i isa) dot(n int, a, b *float32) float32                       { panic("tensor: no kernel") }
func (i isa) axpy(n int, y *float32, s float32, x *float32)          { panic("tensor: no kernel") }

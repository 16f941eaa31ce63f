package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// eachKernel runs a test with every set of kernels that this processor has.
func eachKernel(t *testing.T, f func(t *testing.T)) {
	before := active
	t.Cleanup(func() { active = before })
	for _, i := range supported() {
		active = i
		t.Run(i.String(), f)
	}
}

// noise is about normal, and the same on every processor.
func noise(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32((rng.Float64() + rng.Float64() + rng.Float64() - 1.5) * 2)
	}
	return x
}

// product is one call of Gemm with random operands, whose rows are longer than they need be.
type product struct {
	ta, tb, acc   bool
	m, n, k       int
	lda, ldb, ldc int
	a, b, c       []float32
}

func newProduct(rng *rand.Rand, ta, tb, acc bool, m, n, k, gap int) product {
	p := product{ta: ta, tb: tb, acc: acc, m: m, n: n, k: k, lda: k + gap, ldb: n + gap, ldc: n + gap}
	ra, rb := m, k
	if ta {
		p.lda, ra = m+gap, k
	}
	if tb {
		p.ldb, rb = k+gap, n
	}
	p.a, p.b, p.c = noise(rng, ra*p.lda), noise(rng, rb*p.ldb), noise(rng, m*p.ldc)
	return p
}

// want is the product in float64, and the sum of the products' sizes, by which rounding is measured.
func (p product) want(i, j int) (sum, size float64) {
	for q := range p.k {
		x, y := p.a[at(p.ta, i, q, p.lda)], p.b[at(p.tb, q, j, p.ldb)]
		sum += float64(x) * float64(y)
		size += math.Abs(float64(x) * float64(y))
	}
	if p.acc {
		sum += float64(p.c[i*p.ldc+j])
		size += math.Abs(float64(p.c[i*p.ldc+j]))
	}
	return sum, size
}

// at is where element row, col of a matrix stands that may be stored turned.
func at(turned bool, row, col, ld int) int {
	if turned {
		row, col = col, row
	}
	return row*ld + col
}

// check compares got, which a Gemm made of a copy of p.c, with the reference; what lies between the rows must be as it was.
func (p product) check(t interface{ Fatalf(string, ...any) }, got []float32) {
	for i := range p.m {
		for j := range p.ldc {
			at := i*p.ldc + j
			if j >= p.n {
				if got[at] != p.c[at] {
					t.Fatalf("%v: C[%d,%d] lies behind the row and was changed", p, i, j)
				}
				continue
			}
			want, size := p.want(i, j)
			if diff := math.Abs(float64(got[at]) - want); !(diff <= size*1e-6+1e-30) {
				t.Fatalf("%v: C[%d,%d] = %g, want %g", p, i, j, got[at], want)
			}
		}
	}
}

func (p product) String() string {
	return fmt.Sprintf("m %d n %d k %d ta %v tb %v acc %v ldc %d", p.m, p.n, p.k, p.ta, p.tb, p.acc, p.ldc)
}

func (p product) run() []float32 {
	c := append([]float32(nil), p.c...)
	Gemm(p.ta, p.tb, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, c, p.ldc, p.acc)
	return c
}

func TestGemmAgreesWithFloat64(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		sizes := [][3]int{{1, 1, 1}, {1, 33, 5}, {2, 31, 300}, {3, 64, 257}, {11, 32, 16}, {12, 96, 512}, {13, 40, 7}, {25, 17, 513},
			{121, 65, 9}, {5, 4, 1}}
		for _, s := range sizes {
			for bits := range 8 {
				for _, gap := range []int{0, 3} {
					p := newProduct(rng, bits&1 > 0, bits&2 > 0, bits&4 > 0, s[0], s[1], s[2], gap)
					p.check(t, p.run())
				}
			}
		}
	})
}

func TestGemmOfAnyShape(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			p := newProduct(rng, rapid.Bool().Draw(t, "ta"), rapid.Bool().Draw(t, "tb"), rapid.Bool().Draw(t, "acc"),
				rapid.IntRange(0, 40).Draw(t, "m"), rapid.IntRange(0, 70).Draw(t, "n"), rapid.IntRange(0, 600).Draw(t, "k"),
				rapid.IntRange(0, 5).Draw(t, "gap"))
			p.check(t, p.run())
		})
	})
}

// TestARowIsTheSameInAnyCompany is the package's invariant: whatever m and n are, and whether B was packed before, an element
// has the same bits.
func TestARowIsTheSameInAnyCompany(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		for bits := range 8 {
			p := newProduct(rng, bits&1 > 0, bits&2 > 0, bits&4 > 0, 130, 70, 520, 1)
			want := p.run()
			same := func(how string, m, n int, got []float32) {
				t.Helper()
				for i := range m {
					for j := range n {
						if math.Float32bits(got[i*p.ldc+j]) != math.Float32bits(want[i*p.ldc+j]) {
							t.Fatalf("%v: %s: C[%d,%d] = %v, want %v", p, how, i, j, got[i*p.ldc+j], want[i*p.ldc+j])
						}
					}
				}
			}
			for _, m := range []int{1, 2, 5, 8, 12, 13, 31, 121} {
				for _, n := range []int{1, 8, 16, 31, 33, 70} {
					q := p
					q.m, q.n = m, n
					same(fmt.Sprintf("%d x %d of it", m, n), m, n, q.run())
					c := append([]float32(nil), p.c...)
					GemmPacked(1+m%2, p.ta, m, p.a, p.lda, Pack(p.tb, n, p.k, p.b, p.ldb), c, p.ldc, p.acc)
					same(fmt.Sprintf("%d x %d of it, packed", m, n), m, n, c)
				}
			}
		}
	})
}

func TestShortSlicesPanic(t *testing.T) {
	x := func(n int) []float32 { return make([]float32, n) }
	big := math.MaxInt/2 + 1
	for _, tt := range []struct {
		name string
		f    func()
		want string
	}{
		{"A", func() { Gemm(false, false, 2, 3, 4, x(7), 4, x(12), 3, x(6), 3, false) }, "A of 2 x 4"},
		{"A turned", func() { Gemm(true, false, 2, 3, 4, x(7), 2, x(12), 3, x(6), 3, false) }, "A of 4 x 2"},
		{"B", func() { Gemm(false, false, 2, 3, 4, x(8), 4, x(11), 3, x(6), 3, false) }, "B of 4 x 3"},
		{"B turned", func() { Gemm(false, true, 2, 3, 4, x(8), 4, x(11), 4, x(6), 3, false) }, "B of 3 x 4"},
		{"C", func() { Gemm(false, false, 2, 3, 4, x(8), 4, x(12), 3, x(5), 3, false) }, "C of 2 x 3"},
		{"rows that overlap", func() { Gemm(false, false, 2, 3, 4, x(8), 3, x(12), 3, x(6), 3, false) }, "rows 3 apart"},
		{"negative", func() { Gemm(false, false, -1, 3, 4, x(8), 4, x(12), 3, x(6), 3, false) }, "-1 x 4"},
		{"overflow", func() { Gemm(false, false, big, 4, 4, x(8), 4, x(16), 4, x(8), 4, false) }, "does not fit"},
		{"packed", func() { GemmPacked(1, false, 2, x(7), 4, Pack(false, 3, 4, x(12), 3), x(6), 3, false) }, "A of 2 x 4"},
		{"pack", func() { Pack(true, 3, 4, x(11), 4) }, "B of 3 x 4"},
		{"Exp", func() { Exp(x(3), x(4), 1, 0) }, "3 and 4"},
		{"Dot", func() { Dot(x(3), x(4)) }, "3 and 4"},
		{"Axpy", func() { Axpy(x(3), 1, x(4)) }, "3 and 4"},
		{"MulAffine", func() { MulAffine(x(3), x(4), 1, 0) }, "3 and 4"},
		{"RMSNorm", func() { RMSNorm(x(3), x(3), x(4), 0) }, "3 and 4"},
		{"RMSNormBack", func() { RMSNormBack(x(3), nil, x(3), x(3), x(4), 0) }, "3 and 4"},
		{"RMSNormBack's weights", func() { RMSNormBack(x(3), x(4), x(3), x(3), x(3), 0) }, "3 and 4"},
		{"SoftmaxBack", func() { SoftmaxBack(x(3), x(4), 1) }, "3 and 4"},
		{"Rotate", func() { Rotate(x(48), x(16), x(16), 1) }, "48 elements"},
		{"Rotate by nothing", func() { Rotate(x(48), nil, nil, 1) }, "heads of 0"},
		{"RowTimes", func() { RowTimes(x(3), x(2), x(5), 3, false) }, "B of 2 x 3"},
		{"SwiGLU", func() { SwiGLU(x(3), x(3), x(4)) }, "3 and 4"},
		{"SwiGLUBack", func() { SwiGLUBack(x(3), x(3), x(3), x(3), x(4)) }, "3 and 4"},
		{"Adam", func() { Adam{}.Update(x(3), x(3), x(3), x(4)) }, "3 and 4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), tt.want) {
					t.Errorf("panic %v, want one about %q", r, tt.want)
				}
			}()
			tt.f()
		})
	}
}

package tensor

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

func near(t *testing.T, name string, got float32, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= tolerance) {
		t.Fatalf("%s = %v, want %v within %g", name, got, want, tolerance)
	}
}

func TestExp(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		for n := range 70 {
			x := noise(rng, n)
			y := make([]float32, n)
			sum := Exp(y, x, 3, -2)
			total := 0.
			for i, v := range x {
				want := math.Exp(float64(3*v) - 2)
				total += want
				near(t, "exp", y[i], want, want*1e-6)
			}
			near(t, "sum", sum, total, total*1e-6)
			Exp(x, x, 3, -2)
			for i := range x {
				if x[i] != y[i] {
					t.Fatalf("in place: %v, want %v", x[i], y[i])
				}
			}
		}
		inf, nan := float32(math.Inf(1)), float32(math.NaN())
		for i := -86.5; i < 88.3; i += 0.01 {
			y := []float32{0}
			Exp(y, []float32{float32(i)}, 1, 0)
			want := math.Exp(float64(float32(i)))
			near(t, "exp", y[0], want, want*3e-7)
		}
		for _, v := range []struct{ x, want float32 }{{0, 1}, {-0, 1}, {-87, 0}, {-1e30, 0}, {-inf, 0}, {inf, inf}, {1e30, inf}, {nan, nan},
			{100, inf}} {
			y := []float32{0}
			Exp(y, []float32{v.x}, 1, 0)
			if y[0] != v.want && !(math.IsNaN(float64(v.want)) && math.IsNaN(float64(y[0]))) {
				t.Errorf("exp(%v) = %v, want %v", v.x, y[0], v.want)
			}
		}
	})
}

func TestChoose(t *testing.T) {
	all := []isa{avx512, avx2, portable}
	for _, tt := range []struct {
		want string
		got  isa
	}{{"", avx512}, {"avx2", avx2}, {"portable", portable}, {"neon", avx512}, {"AVX2", avx512}} {
		if got := choose(tt.want, all); got != tt.got {
			t.Errorf("choose(%q) = %v, want %v", tt.want, got, tt.got)
		}
	}
}

// TestKernel tells which kernels are used where, and that the variable is obeyed.
func TestKernel(t *testing.T) {
	t.Log("kernel: " + active.String())
	if want := os.Getenv(KernelVar); want != "" && active.String() != want {
		t.Errorf("%s is %s, but %s kernels are used", KernelVar, want, active)
	}
}

package tensor

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// loop is a vector kernel: what it does to some slices of equal length, and the same in float64, where v[j] is the element
// i of slice j. Kernels that look at more than one element at a time have whole instead.
type loop struct {
	name   string
	slices int
	run    func(x [][]float32) float32
	each   func(v []float64)
	whole  func(x [][]float64) float64
}

var adamTest = Adam{Rate: 0.01, Beta1: 0.9, Beta2: 0.98, Eps: 1e-8, Decay: 0.1, Step: 3, Scale: 0.5}

var loops = []loop{
	{name: "Exp", slices: 1, run: func(x [][]float32) float32 { return Exp(x[0], x[0], 2, -1) }, whole: func(x [][]float64) (sum float64) {
		for i, v := range x[0] {
			x[0][i] = math.Exp(2*v - 1)
			sum += x[0][i]
		}
		return sum
	}},
	{name: "Dot", slices: 2, run: func(x [][]float32) float32 { return Dot(x[0], x[1]) }, whole: func(x [][]float64) float64 { return dot64(x[0], x[1]) }},
	{name: "Max", slices: 1, run: func(x [][]float32) float32 { return Max(x[0]) }, whole: func(x [][]float64) float64 { return max64(x[0]) }},
	{name: "Axpy", slices: 2, run: func(x [][]float32) float32 { Axpy(x[0], -1.5, x[1]); return 0 }, each: func(v []float64) { v[0] -= 1.5 * v[1] }},
	{name: "Scale", slices: 1, run: func(x [][]float32) float32 { Scale(x[0], 3); return 0 }, each: func(v []float64) { v[0] *= 3 }},
	{name: "MulAffine", slices: 2, run: func(x [][]float32) float32 { MulAffine(x[0], x[1], 2, -3); return 0 }, each: func(v []float64) { v[0] *= 2*v[1] - 3 }},
	{name: "RMSNorm", slices: 3, run: func(x [][]float32) float32 {
		return RMSNorm(x[0], x[1], x[2], 1e-5)
	}, whole: func(x [][]float64) float64 {
		if len(x[0]) == 0 {
			return 0
		}
		r := 1 / math.Sqrt(dot64(x[1], x[1])/float64(len(x[1]))+1e-5)
		for i := range x[0] {
			x[0][i] = x[1][i] * r * x[2][i]
		}
		return r
	}},
	{name: "RMSNormBack", slices: 5, run: func(x [][]float32) float32 { RMSNormBack(x[0], x[1], x[2], x[3], x[4], 0.75); return 0 },
		whole: func(x [][]float64) float64 {
			const r = 0.75
			s := 0.
			for i, v := range x[2] {
				s += v * x[3][i] * x[4][i] / float64(len(x[2]))
			}
			for i, dy := range x[2] {
				x[0][i] += r * (dy*x[4][i] - x[3][i]*s*r*r)
				x[1][i] += dy * x[3][i] * r
			}
			return 0
		}},
	{name: "Softmax", slices: 1, run: func(x [][]float32) float32 { Softmax(x[0], 0.5); return 0 }, whole: func(x [][]float64) float64 {
		sum, top := 0., max64(x[0])
		for i, v := range x[0] {
			x[0][i] = math.Exp((v - top) / 2)
			sum += x[0][i]
		}
		for i := range x[0] {
			x[0][i] /= sum
		}
		return 0
	}},
	{name: "SoftmaxBack", slices: 2, run: func(x [][]float32) float32 { SoftmaxBack(x[0], x[1], 0.5); return 0 },
		whole: func(x [][]float64) float64 {
			s := dot64(x[0], x[1])
			for i, v := range x[0] {
				x[0][i] = x[1][i] * (v - s) / 2
			}
			return 0
		}},
	{name: "SwiGLU", slices: 3, run: func(x [][]float32) float32 { SwiGLU(x[0], x[1], x[2]); return 0 }, each: func(v []float64) { v[0] = v[1] / (1 + math.Exp(-v[1])) * v[2] }},
	{name: "SwiGLUBack", slices: 5, run: func(x [][]float32) float32 { SwiGLUBack(x[0], x[1], x[2], x[3], x[4]); return 0 },
		each: func(v []float64) {
			s := 1 / (1 + math.Exp(-v[3]))
			v[1] = v[2] * v[3] * s
			v[0] = v[2] * v[4] * s * (1 + v[3]*(1-s))
		}},
	{name: "Adam", slices: 4, run: func(x [][]float32) float32 {
		for i, v := range x[3] {
			x[3][i] = v * v // the mean of squares is none below zero
		}
		adamTest.Update(x[0], x[1], x[2], x[3])
		return 0
	}, each: func(v []float64) {
		g := v[1] * 0.5
		v[2] = 0.9*v[2] + 0.1*g
		v[3] = 0.98*v[3]*v[3] + 0.02*g*g
		v[0] -= 0.01*v[2]/(1-0.9*0.9*0.9)/(math.Sqrt(v[3]/(1-0.98*0.98*0.98))+1e-8) + 0.01*0.1*v[0]
	}},
}

func dot64(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func max64(x []float64) float64 {
	top := math.Inf(-1)
	for _, v := range x {
		top = max(top, v)
	}
	return top
}

// slices32 gives a loop's arguments, each with one element more behind its end, which must stay as it is.
func (l loop) slices32(rng *rand.Rand, n int) [][]float32 {
	x := make([][]float32, l.slices)
	for i := range x {
		x[i] = noise(rng, n+1)[:n]
	}
	return x
}

func TestLoopsAgreeWithFloat64(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 7))
		for _, l := range loops {
			for _, n := range []int{0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 48, 63, 64, 100, 352} {
				x := l.slices32(rng, n)
				want, behind := make([][]float64, len(x)), make([]float32, len(x))
				for j := range x {
					behind[j] = x[j][:n+1][n]
					for _, v := range x[j] {
						want[j] = append(want[j], float64(v))
					}
				}
				total := 0.
				if l.whole != nil {
					total = l.whole(want)
				} else {
					for i := range n {
						v := make([]float64, len(x))
						for j := range v {
							v[j] = want[j][i]
						}
						l.each(v)
						for j := range v {
							want[j][i] = v[j]
						}
					}
				}
				got := l.run(x)
				if !(math.Abs(float64(got)-total) <= 2e-6*(1+math.Abs(total)+float64(n))) && float64(got) != total {
					t.Errorf("%s of %d: gives %g, want %g", l.name, n, got, total)
				}
				for j := range x {
					if v := x[j][:n+1][n]; v != behind[j] {
						t.Errorf("%s of %d: the element behind slice %d became %g", l.name, n, j, v)
					}
					for i, v := range x[j] {
						if diff := math.Abs(float64(v) - want[j][i]); !(diff <= 4e-6*(1+math.Abs(want[j][i]))) {
							t.Fatalf("%s of %d: slice %d, element %d: %g, want %g", l.name, n, j, i, v, want[j][i])
						}
					}
				}
			}
		}
	})
}

// everything runs all kernels and gives all that they give.
func everything(seed uint64, n, m, k, bits int) [][]float32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	var all [][]float32
	for _, l := range loops {
		x := l.slices32(rng, n)
		all = append(all, []float32{l.run(x)})
		all = append(all, x...)
	}
	p := newProduct(rng, bits&1 > 0, bits&2 > 0, bits&4 > 0, m, n, k, 1)
	x, b, y, z := noise(rng, k), noise(rng, k*n), noise(rng, n), noise(rng, 192)
	RowTimes(y, x, b, n, bits&1 > 0)
	Rotate(z, noise(rng, 32), noise(rng, 32), -1)
	return append(all, p.run(), y, z)
}

// TestAssemblyAgreesToTheBit: a model that is trained on one processor resumes on another. The number is the same on amd64
// and arm64.
func TestAssemblyAgreesToTheBit(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		if active == portable {
			t.Skip("plain Go has bits of its own")
		}
		h := fnv.New64a()
		for bits := range 8 {
			for _, size := range [][3]int{{1, 1, 1}, {100, 13, 300}, {33, 25, 17}, {64, 8, 600}} {
				for _, x := range everything(uint64(bits), size[0], size[1], size[2], bits) {
					if err := binary.Write(h, binary.LittleEndian, x); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if got := h.Sum64(); got != 0xee178e42474ace7c {
			t.Errorf("the results' hash is %#x", got)
		}
	})
}

func TestSetsOfKernelsAgreeToTheBit(t *testing.T) {
	before := active
	t.Cleanup(func() { active = before })
	sets := supported()
	sets = sets[:len(sets)-1] // all but portable
	if len(sets) < 2 {
		t.Skip("this processor has fewer than two sets of kernels in assembly")
	}
	rapid.Check(t, func(t *rapid.T) {
		seed, bits := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 7).Draw(t, "transposed, accumulated")
		n, m, k := rapid.IntRange(0, 200).Draw(t, "n"), rapid.IntRange(0, 40).Draw(t, "m"), rapid.IntRange(0, 600).Draw(t, "k")
		var first [][]float32
		for i, set := range sets {
			active = set
			all := everything(seed, n, m, k, bits)
			if i == 0 {
				first = all
			}
			for j := range all {
				for q, v := range all[j] {
					if math.Float32bits(v) != math.Float32bits(first[j][q]) {
						t.Fatalf("%v and %v: result %d, element %d: %v and %v", sets[0], set, j, q, first[j][q], v)
					}
				}
			}
		}
	})
}

func TestRotate(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 8))
		for _, half := range []int{1, 5, 16, 32, 48} {
			for heads := range 4 {
				x, angles := noise(rng, heads*2*half), noise(rng, half)
				cos, sin := make([]float32, half), make([]float32, half)
				for i, a := range angles {
					cos[i], sin[i] = float32(math.Cos(float64(a))), float32(math.Sin(float64(a)))
				}
				old := append([]float32(nil), x...)
				Rotate(x, cos, sin, 1)
				for i := range heads * half {
					h, j := i/half*2*half, i%half
					u, v, c, s := float64(old[h+j]), float64(old[h+half+j]), float64(cos[j]), float64(sin[j])
					near(t, "first half", x[h+j], u*c-v*s, 1e-6)
					near(t, "second half", x[h+half+j], v*c+u*s, 1e-6)
				}
				Rotate(x, cos, sin, -1)
				for i := range x {
					near(t, "turned back", x[i], float64(old[i]), 2e-6)
				}
			}
		}
	})
}

func TestRowTimes(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 9))
		for k := range 14 {
			for _, n := range []int{0, 1, 15, 16, 17, 32, 40, 64, 100} {
				for _, gap := range []int{0, 3, 40} {
					x, b, old := noise(rng, k), noise(rng, max(0, (k-1)*(n+gap)+n)), noise(rng, n)
					for _, acc := range []bool{false, true} {
						y := append([]float32(nil), old...)
						RowTimes(y, x, b, n+gap, acc)
						for j := range y {
							want := 0.
							if acc {
								want = float64(old[j])
							}
							for i := range x {
								want += float64(x[i]) * float64(b[i*(n+gap)+j])
							}
							near(t, fmt.Sprintf("k %d n %d gap %d acc %v: y[%d]", k, n, gap, acc, j), y[j], want, 1e-5)
						}
						// The same bits alone as among others.
						for j := range y {
							one := []float32{old[j]}
							RowTimes(one, x, b[min(j, len(b)):], n+gap, acc)
							if one[0] != y[j] {
								t.Fatalf("k %d n %d gap %d acc %v: y[%d] = %v, alone %v", k, n, gap, acc, j, y[j], one[0])
							}
						}
					}
				}
			}
		}
	})
}

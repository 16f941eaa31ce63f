package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// rounded is what PackInt8 makes of weights, output by output.
func rounded(p *Packed) []float32 {
	k, n := p.Shape()
	w := make([]float32, n*k)
	for i := range n {
		p.Row(i, w[i*k:(i+1)*k])
	}
	return w
}

// TestEightBitsComputeAsTheRoundedWeights: forth and back, the bits are those of the same weights in 32 bits.
func TestEightBitsComputeAsTheRoundedWeights(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 8))
		for _, shape := range [][2]int{{1, 1}, {5, 31}, {16, 32}, {33, 40}, {48, 300}, {70, 576}} {
			n, k := shape[0], shape[1]
			packed := PackInt8(n, k, noise(rng, n*k))
			w := rounded(packed)
			for _, m := range []int{1, 7, 50, mBlock + 5} {
				for _, acc := range []bool{false, true} {
					x, dy := noise(rng, m*k), noise(rng, m*n)
					want, got := noise(rng, m*n), make([]float32, m*n)
					copy(got, want)
					Gemm(false, true, m, n, k, x, k, w, k, want, n, acc)
					GemmPacked(2, false, m, x, k, packed, got, n, acc)
					if !slices.Equal(got, want) {
						t.Errorf("%d x %d, %d rows: a product is not that of the rounded weights", n, k, m)
					}
					want, got = noise(rng, m*k), make([]float32, m*k)
					copy(got, want)
					Gemm(false, false, m, k, n, dy, n, w, k, want, k, acc)
					GemmPacked(2, false, m, dy, n, packed.Turn(), got, k, acc)
					if !slices.Equal(got, want) {
						t.Errorf("%d x %d, %d rows: what comes back is not that of the rounded weights", n, k, m)
					}
				}
			}
		}
	})
}

// TestEightBitsRoundToTheNearest: by a 254th of the largest of each 32 at most, and nothing that eight bits can say is changed.
func TestEightBitsRoundToTheNearest(t *testing.T) {
	const n, k = 19, 75
	rng := rand.New(rand.NewPCG(4, 8))
	w := noise(rng, n*k)
	clear(w[k : 2*k]) // an output of zeros
	got := rounded(PackInt8(n, k, w))
	for i := range n {
		for from := 0; from < k; from += eightBlock {
			block := w[i*k+from : i*k+min(from+eightBlock, k)]
			most := float64(largest(block)) / 254 * 1.0001
			for j, v := range block {
				if e := math.Abs(float64(got[i*k+from+j] - v)); e > most {
					t.Fatalf("weight %d of output %d became %g from %g, by more than %g", from+j, i, got[i*k+from+j], v, most)
				}
			}
		}
	}
	for i, v := range rounded(PackInt8(n, k, got)) {
		near(t, "a weight that is rounded again", v, float64(got[i]), 1e-6)
	}
}

func ExamplePackInt8() {
	w := PackInt8(1, 4, []float32{127, 1.4, -63.6, 0})
	row := make([]float32, 4)
	w.Row(0, row)
	fmt.Println(row)
	// Output: [127 1 -64 0]
}

package nano

import (
	"math"
	"testing"
)

func TestDraw(t *testing.T) {
	logits := []float32{1, 3, -2, 3, float32(math.Inf(-1)), 0}
	p := make([]float32, len(logits))
	for _, temperature := range []float64{1e-5, 0.01, 0.7, 1, 3, 1e9} {
		// The distribution by its definition.
		want, sum, entropy := make([]float64, len(logits)), 0.0, 0.0
		for i, x := range logits {
			want[i] = math.Exp((float64(x) - 3) / temperature)
			sum += want[i]
		}
		for i := range want {
			if want[i] /= sum; want[i] > 0 {
				entropy -= want[i] * math.Log(want[i])
			}
		}
		const n = 20_000
		counts := make([]int, len(logits))
		for i := range n {
			token, logp, e, err := draw(logits, temperature, dice(uint64(i), 3), p)
			if err != nil {
				t.Fatal(err)
			}
			counts[token]++
			if math.Abs(float64(logp)-math.Log(want[token])) > 1e-5 || math.Abs(float64(e)-entropy) > 1e-5 {
				t.Fatalf("temperature %v: token %d has %v and entropy %v, want %v and %v", temperature, token, logp, e, math.Log(want[token]), entropy)
			}
		}
		for i, c := range counts { // five standard deviations
			if sd := math.Sqrt(want[i] * (1 - want[i]) / n); math.Abs(float64(c)/n-want[i]) > 5*sd {
				t.Errorf("temperature %v: token %d is drawn with %v, want %v", temperature, i, float64(c)/n, want[i])
			}
		}
	}
}

func TestDrawTheLikeliest(t *testing.T) {
	for _, temperature := range []float64{0, 1e-9, math.SmallestNonzeroFloat64} {
		token, logp, entropy, err := draw([]float32{1, 3, 3}, temperature, dice(1, 1), make([]float32, 3))
		if token != 1 || logp != 0 || entropy != 0 || err != nil {
			t.Errorf("temperature %v: %v %v %v %v", temperature, token, logp, entropy, err)
		}
	}
}

func TestDrawFromNothing(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, logits := range [][]float32{{nan, 1}, {1, nan, 2}, {2, 1, nan}, {inf, 1}, {-inf, -inf}} {
		if token, _, _, err := draw(logits, 1, dice(1, 1), make([]float32, len(logits))); err == nil {
			t.Errorf("%v gives token %d", logits, token)
		}
	}
}

func TestDiceDiffer(t *testing.T) {
	seen := map[float64]bool{}
	for seed := range uint64(50) {
		for turn := range 20 {
			seen[dice(seed, turn).Float64()] = true
		}
	}
	if len(seen) != 1000 {
		t.Errorf("%d different first throws of 1,000", len(seen))
	}
}

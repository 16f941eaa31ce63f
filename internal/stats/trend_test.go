package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// column is a condition's scores: 1 for each task whose letter is in passed.
func column(tasks, passed string) []float64 {
	out := make([]float64, len(tasks))
	for i, t := range tasks {
		if slices.Contains([]rune(passed), t) {
			out[i] = 1
		}
	}
	return out
}

func TestPairedBootstrapAgreesWithTheExactOne(t *testing.T) {
	// The bootstrap distribution of (gains - losses)/n is known: its quantiles follow from the multinomial by convolution.
	const n, gains, losses = 40, 3, 9
	before, after := make([][]float64, n), make([][]float64, n)
	for i := range n {
		before[i], after[i] = []float64{0}, []float64{0}
		switch {
		case i < gains:
			after[i] = []float64{1}
		case i < gains+losses:
			before[i] = []float64{1}
		}
	}
	dist := map[int]float64{0: 1}
	for range n {
		next := map[int]float64{}
		for s, p := range dist {
			next[s+1] += p * gains / n
			next[s-1] += p * losses / n
			next[s] += p * (n - gains - losses) / n
		}
		dist = next
	}
	exact := func(p float64) float64 {
		sum := 0.0
		for s := -n; s <= n; s++ {
			if sum += dist[s]; sum >= p {
				return float64(s) / n
			}
		}
		return math.NaN()
	}
	for seed := range uint64(5) {
		v, err := PairedBootstrap(before, after, MeanOptions{Seed: seed})
		if err != nil || v.Method != MethodBootstrap {
			t.Fatal(v, err)
		}
		if math.Abs(v.Lo-exact(0.025)) > 1.0/n+1e-9 || math.Abs(v.Hi-exact(0.975)) > 1.0/n+1e-9 {
			t.Errorf("seed %d: %v, exact [%.3f, %.3f]", seed, v, exact(0.025), exact(0.975))
		}
	}
}

func TestPairedBootstrapLimits(t *testing.T) {
	same := [][]float64{{1}, {0}, {1, 0}}
	v, err := PairedBootstrap(same, same, MeanOptions{})
	if err != nil || !v.OK() || v.Width() == 0 || v.Lo != -v.Hi {
		t.Errorf("nothing differs: %v %v", v, err)
	}
	if _, err := PairedBootstrap(same, same[:2], MeanOptions{}); !errors.Is(err, ErrUnpaired) {
		t.Error(err)
	}
	if _, err := PairedBootstrap([][]float64{{math.NaN()}}, [][]float64{{1}}, MeanOptions{}); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	v, err = PairedBootstrap([][]float64{{1}, {}, {0}}, [][]float64{{1}, {1}, {}}, MeanOptions{})
	if err != nil || v.OK() {
		t.Errorf("one task that both have: %v %v", v, err)
	}
	a, _ := PairedBootstrap([][]float64{{1}, {0}, {1}, {0, 1}}, [][]float64{{0}, {0}, {1}, {1}}, MeanOptions{Seed: 3})
	b, _ := PairedBootstrap([][]float64{{1}, {0}, {1}, {0, 1}}, [][]float64{{0}, {0}, {1}, {1}}, MeanOptions{Seed: 3})
	if a != b {
		t.Error("the same seed gives other bits")
	}
}

func TestPairedBootstrapCovers(t *testing.T) {
	// 164 tasks of which 8 % change, in the shares of the reference experiment's second condition.
	got := coverage(300, func(rng *rand.Rand) (Interval, float64) {
		before, after := make([][]float64, 164), make([][]float64, 164)
		for i := range before {
			before[i], after[i] = []float64{1}, []float64{1}
			switch u := rng.Float64(); {
			case u < 0.02:
				before[i] = []float64{0}
			case u < 0.08:
				after[i] = []float64{0}
			}
		}
		v, _ := PairedBootstrap(before, after, MeanOptions{Resamples: 400, Seed: rng.Uint64()})
		return v, 0.02 - 0.06
	})
	if got < 0.91 || got > 0.98 {
		t.Errorf("the 95 %% interval covers %.3f", got)
	}
}

func TestDetectablePassRate(t *testing.T) {
	for _, c := range []struct {
		n           int
		discordance float64
		want        float64
		ok          bool
	}{
		{164, 0.10, 0.0687, true}, // MDEPassRate's own
		{164, 18.0 / 164, 0.0720, true},
		{164, 7.0 / 164, 0.0472, true}, // fewer changes than any test finds: all in one direction
		{164, 0, 0.0472, true},
		{10, 0, 0.6158, true},
		{4, 1, 0.9990, true},
		{3, 0.5, 0, false}, {0, 0.5, 0, false}, {164, math.NaN(), 0, false}, {164, 1.5, 0, false},
	} {
		got, ok := DetectablePassRate(c.n, c.discordance)
		if ok != c.ok || math.Abs(got-c.want) > 0.0002 {
			t.Errorf("%d tasks, discordance %.3f: %.4f %v, want %.4f", c.n, c.discordance, got, ok, c.want)
		}
		if ok && math.Abs(connor(got, max(got, c.discordance))-float64(c.n)) > 0.01*float64(c.n) {
			t.Errorf("%d tasks, discordance %.3f: a change of %.4f needs %.1f tasks", c.n, c.discordance, got, connor(got, max(got, c.discordance)))
		}
	}
}

func TestTrendIsLeastSquares(t *testing.T) {
	// Pass rates 1, 0.75, 0.5 at 0, 1000, 2000: a line of slope -0.25 for each 1,000.
	scores := [][]float64{column("abcd", "abcd"), column("abcd", "abc"), column("abcd", "ab")}
	line, err := Trend([]float64{0, 1000, 2000}, scores, TrendOptions{Per: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(line.Slope+0.25) > 1e-12 || math.Abs(line.At0-1) > 1e-12 || line.Tasks != 4 || line.Points != 3 {
		t.Errorf("%+v", line)
	}
	// The tasks' own slopes are 0, 0, -1/2 (pass, pass, fail) and -1/2 (pass, fail, fail): the bootstrap's quantiles lie on
	// sums of those.
	if math.Abs(line.CI.Lo+0.5) > 1e-9 || math.Abs(line.CI.Hi) > 1e-9 {
		t.Errorf("CI %v", line.CI)
	}
	// Shuffling (1,1,0) gives slopes -1/2, 0, 1/2 and so does (1,0,0): 2 of 9 orders sum to ±1.
	if math.Abs(line.P-2.0/9) > 0.015 {
		t.Errorf("p %.4f, want 2/9", line.P)
	}
	flat := [][]float64{column("abcd", "ab"), column("abcd", "ab")}
	line, err = Trend([]float64{0, 10}, flat, TrendOptions{})
	if err != nil || line.Slope != 0 || line.P != 1 || !line.CI.OK() || line.CI.Width() == 0 {
		t.Errorf("no change: %+v %v", line, err)
	}
}

func TestTrendErrors(t *testing.T) {
	y := [][]float64{{1}, {0}}
	for _, c := range []struct {
		x    []float64
		y    [][]float64
		want error
	}{
		{[]float64{1, 1}, y, ErrNoTrend}, {[]float64{1}, y[:1], ErrNoTrend}, {[]float64{1}, y, ErrUnpaired}, {nil, nil, ErrUnpaired},
		{[]float64{1, 2}, [][]float64{{1}, {0, 1}}, ErrUnpaired}, {[]float64{1, math.Inf(1)}, y, ErrNotFinite}, {[]float64{1, 2}, [][]float64{{1}, {math.NaN()}}, ErrNotFinite},
	} {
		if _, err := Trend(c.x, c.y, TrendOptions{}); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.x, err, c.want)
		}
	}
	if line, err := Trend([]float64{1, 2}, [][]float64{{}, {}}, TrendOptions{}); err != nil || line.CI.OK() {
		t.Errorf("no tasks: %+v %v", line, err)
	}
}

func TestTrendProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks, points := rapid.IntRange(2, 12).Draw(t, "tasks"), rapid.IntRange(2, 5).Draw(t, "points")
		sizes, scores := make([]float64, points), make([][]float64, points)
		for c := range points {
			sizes[c] = float64(c*c) * 100
			for range tasks {
				scores[c] = append(scores[c], float64(rapid.IntRange(0, 1).Draw(t, "score")))
			}
		}
		o := TrendOptions{Resamples: 200, Seed: 1, Per: 100}
		line, err := Trend(sizes, scores, o)
		if err != nil || !line.CI.OK() {
			t.Fatalf("%+v %v", line, err)
		}
		if line.P <= 0 || line.P > 1 {
			t.Errorf("p %v", line.P)
		}
		// Failing instead of passing turns the line over.
		for c := range scores {
			for i := range scores[c] {
				scores[c][i] = 1 - scores[c][i]
			}
		}
		other, err := Trend(sizes, scores, o)
		if err != nil || math.Abs(line.Slope+other.Slope) > 1e-9 || math.Abs(line.At0+other.At0-1) > 1e-9 {
			t.Errorf("%+v and %+v, %v", line, other, err)
		}
	})
}

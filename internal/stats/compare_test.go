package stats

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCompareVerdicts(t *testing.T) {
	// A column of tasks, each with one rollout.
	col := func(xs ...float64) [][]float64 { return Singles(xs) }
	repeat := func(n int, x ...float64) [][]float64 {
		var all []float64
		for range n {
			all = append(all, x...)
		}
		return Singles(all)
	}
	for _, tt := range []struct {
		name          string
		before, after [][]float64
		o             CompareOptions
		verdict       string
		tasks, needed int
	}{
		{"nothing", nil, nil, CompareOptions{}, VerdictTooSmall, 0, 0},
		{"one task", col(0), col(1), CompareOptions{Max: 1}, VerdictTooSmall, 1, 0},
		{"three tasks, large gain", col(.2, .3, .4), col(.9, .9, .9), CompareOptions{Max: 1}, VerdictTooSmall, 3, 3},
		{"eight tasks, large gain", col(.2, .3, .4, .2, .3, .4, .1, .2), col(.9, .9, .9, .9, .9, .9, .9, 1), CompareOptions{Max: 1}, VerdictBetter, 8, 3},
		{"eight tasks, large loss", col(.9, .9, .9, .9, .9, .9, .9, 1), col(.2, .3, .4, .2, .3, .4, .1, .2), CompareOptions{Max: 1}, VerdictWorse, 8, 3},
		{"small and noisy", col(.2, .3, .4, .2, .3, .4, .1, .2), col(.3, .2, .5, .1, .4, .4, .1, .2), CompareOptions{Max: 1}, VerdictTooSmall, 8, 352},
		{"no difference on many tasks", repeat(100, .5, .6), repeat(100, .51, .59), CompareOptions{Max: 1}, VerdictSame, 200, 0},
		{"no difference that a strict reader accepts", repeat(10, .5, .6), repeat(10, .6, .5), CompareOptions{Max: 1, Relevant: 0.02}, VerdictTooSmall, 20, 0},
		{"equal scores on few tasks", col(1, 1, 1), col(1, 1, 1), CompareOptions{Max: 1}, VerdictTooSmall, 3, 0},
		{"tasks without rollouts are left out", [][]float64{{0}, {}, {0}}, [][]float64{{1}, {1}, nil}, CompareOptions{Max: 1}, VerdictTooSmall, 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Compare(tt.before, tt.after, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != tt.verdict || got.Tasks != tt.tasks || got.TasksNeeded != tt.needed {
				t.Errorf("%+v, want %s, %d tasks, %d needed", got, tt.verdict, tt.tasks, tt.needed)
			}
		})
	}
	if _, err := Compare(col(1), col(1, 2), CompareOptions{}); !errors.Is(err, ErrUnpaired) {
		t.Errorf("unpaired: %v", err)
	}
	if _, err := Compare(col(1, math.NaN()), col(1, 2), CompareOptions{}); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

func TestCompareNumbers(t *testing.T) {
	before, after := make([][]float64, len(someDiffs)), make([][]float64, len(someDiffs))
	for i, d := range someDiffs {
		before[i], after[i] = []float64{0.3, 0.5}, []float64{0.4 + d, 0.3 + d, 0.5 + d}
	}
	got, err := Compare(before, after, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := Comparison{
		Tasks: 8, Before: 0.4, After: 0.50625, Diff: 0.10625, SD: 0.145006157504,
		CI: Interval{Lo: -0.014978181439084984, Hi: 0.227478181439085, Level: 0.95, Method: "t"},
		P:  0.109375, PT: 0.07693611128805906, MDE: 0.167161, TasksNeeded: 17, Verdict: VerdictTooSmall,
	}
	if diff := cmp.Diff(want, got, near(1e-5)); diff != "" {
		t.Error(diff)
	}
}

func TestSignFlipProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		diffs := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{-0.5, 0, 0.5})), 0, 10).Draw(t, "diffs")
		p := SignFlip(diffs, 0, 0)
		negated, n := make([]float64, len(diffs)), 0
		for i, d := range diffs {
			negated[i] = -d
			if d != 0 {
				n++
			}
		}
		if q := SignFlip(negated, 0, 0); q != p {
			t.Fatalf("%v, but %v with all signs turned", p, q)
		}
		if q := SignFlip(append(diffs, 0, 0), 0, 0); q != p {
			t.Fatalf("%v, but %v with two tasks that did not change", p, q)
		}
		if n > 0 && (p < math.Ldexp(2, -n) || p > 1) || n == 0 && p != 1 {
			t.Fatalf("%v of %d differences", p, n)
		}
	})
}

func TestSignFlipSampledAgreesWithExact(t *testing.T) {
	// No two sums of these are equal, so that the value added below breaks no tie.
	diffs := make([]float64, exactFlips)
	for i := range diffs {
		diffs[i] = 0.2 + math.Sin(float64(i+1))
	}
	exact := SignFlip(diffs, 0, 1)
	// One value too small to matter makes 21, which are sampled.
	sampled := SignFlip(append(diffs, 1e-7), 200_000, 1)
	if math.Abs(exact-sampled) > 0.003 {
		t.Errorf("exact %v, sampled %v", exact, sampled)
	}
	big := make([]float64, 100)
	for i := range big {
		big[i] = 1
	}
	if p := SignFlip(big, 999, 1); p != 0.001 {
		t.Errorf("a clear difference: %v, want 1/1000", p)
	}
	for i := range big[:40] {
		big[i] = -1
	}
	if p, exact := SignFlip(big, 100_000, 1), McNemar(60, 40).Exact; math.Abs(p-exact) > 0.004 {
		t.Errorf("60 up and 40 down: %v, want about %v", p, exact)
	}
	if p := SignFlip([]float64{math.NaN()}, 0, 0); p != 1 {
		t.Errorf("NaN: %v", p)
	}
}

func TestHolmProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 8).Draw(t, "ps")
		adjusted := Holm(ps)
		for i := range ps {
			if adjusted[i] < ps[i] || adjusted[i] > min(1, ps[i]*float64(len(ps)))+1e-15 {
				t.Fatalf("%v became %v", ps[i], adjusted[i])
			}
			for j := range ps {
				if ps[i] < ps[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("the order of %v and %v turned", ps[i], ps[j])
				}
			}
		}
	})
}

func TestMcNemarAgreesWithSignFlip(t *testing.T) {
	// On differences of 1 and -1 the permutation test is McNemar's exact test.
	rapid.Check(t, func(t *rapid.T) {
		up, down := rapid.IntRange(0, 9).Draw(t, "up"), rapid.IntRange(0, 9).Draw(t, "down")
		diffs := make([]float64, up+down)
		for i := range diffs {
			diffs[i] = 1
			if i >= up {
				diffs[i] = -1
			}
		}
		p := McNemar(up, down)
		if q := SignFlip(diffs, 0, 0); math.Abs(p.Exact-q) > 1e-12 || p.MidP > p.Exact {
			t.Fatalf("%d and %d: %+v, sign flip %v", up, down, p, q)
		}
	})
}

func TestPowerHasLimits(t *testing.T) {
	for name, ok := range map[string]bool{
		"mean of one task":            second(MDEMean(0.2, 1)),
		"mean without variation":      second(MDEMean(0, 10)),
		"mean of NaN":                 second(MDEMean(math.NaN(), 10)),
		"tasks for no difference":     second(TasksForMean(0, 0.2)),
		"tasks without variation":     second(TasksForMean(0.1, 0)),
		"tasks for a tiny difference": second(TasksForMean(1e-9, 0.2)),
		"rate of three tasks":         second(MDEPassRate(3, 0.1)),
		"rate without discordance":    second(MDEPassRate(100, 0)),
	} {
		if ok {
			t.Errorf("%s: there is an answer", name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		psi := rapid.Float64Range(0.01, 1).Draw(t, "discordance")
		n := rapid.IntRange(10, 5000).Draw(t, "n")
		d, ok := MDEPassRate(n, psi)
		if !ok {
			return
		}
		if d > psi {
			t.Fatalf("a change of %v with a discordance of %v", d, psi)
		}
		if back := int(math.Ceil(connor(d, psi))); back < n-1 || back > n+1 {
			t.Fatalf("%d tasks detect %v, for which %d are needed", n, d, back)
		}
	})
}

func second[T any](_ T, ok bool) bool { return ok }

func BenchmarkCompare(b *testing.B) {
	before, after := make([][]float64, 100), make([][]float64, 100)
	for i := range before {
		x := float64(i%7) / 7
		before[i], after[i] = []float64{x, x / 2}, []float64{x * x, x}
	}
	for b.Loop() {
		if _, err := Compare(before, after, CompareOptions{Max: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSignFlipExact(b *testing.B) {
	diffs := make([]float64, exactFlips)
	for i := range diffs {
		diffs[i] = math.Sin(float64(i + 1))
	}
	for b.Loop() {
		SignFlip(diffs, 0, 0)
	}
}

func BenchmarkBootstrapBCa(b *testing.B) {
	xs := make([]float64, 164)
	for i := range xs {
		xs[i] = float64(i % 3 % 2)
	}
	o := Unit(0.95)
	o.Method = MethodBCa
	for b.Loop() {
		MeanCI(Singles(xs), o)
	}
}

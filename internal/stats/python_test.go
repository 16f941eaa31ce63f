package stats

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// repr(round(x, digits)) of Python 3.11
func TestPyRound(t *testing.T) {
	for _, tt := range []struct {
		x      float64
		digits int
		want   string
	}{
		{2.675, 2, "2.67"},
		{0.125, 2, "0.12"},
		{0.375, 2, "0.38"},
		{-0.125, 2, "-0.12"},
		{0.5, 0, "0.0"},
		{1.5, 0, "2.0"},
		{2.5, 0, "2.0"},
		{2.5, -1, "2.0"},
		{-0.4, 0, "-0.0"},
		{1.005, 2, "1.0"},
		{0.7850000000000001, 3, "0.785"},
		{0.9875, 3, "0.988"},
		{0.0005, 3, "0.001"},
		{0.0015, 3, "0.002"},
		{1e22, 3, "1e+22"},
		{5e-324, 3, "0.0"},
		{5e-324, 1 << 30, "5e-324"},
		{math.MaxFloat64, 2, "1.7976931348623157e+308"},
		{123456.7895, 3, "123456.789"},
		{0.30000000000000004, 16, "0.3"},
		{0.30000000000000004, 20, "0.30000000000000004"},
		{math.NaN(), 3, "nan"},
		{math.Inf(-1), 3, "-inf"},
	} {
		if got := FormatPy(PyRound(tt.x, tt.digits)); got != tt.want {
			t.Errorf("round(%v, %d): %s, want %s", tt.x, tt.digits, got, tt.want)
		}
	}
}

// repr(x) of Python 3.11
func TestFormatPy(t *testing.T) {
	for _, tt := range []struct {
		x    float64
		want string
	}{
		{0.9, "0.9"},
		{18, "18.0"},
		{0, "0.0"},
		{math.Copysign(0, -1), "-0.0"},
		{-3, "-3.0"},
		{1e-05, "1e-05"},
		{-1e-05, "-1e-05"},
		{9.5e-05, "9.5e-05"},
		{0.0001, "0.0001"},
		{1e16, "1e+16"},
		{1e15, "1000000000000000.0"},
		{123456789012345680, "1.2345678901234568e+17"},
		{9007199254740993, "9007199254740992.0"},
		{1.0 / 3, "0.3333333333333333"},
		{5e-324, "5e-324"},
		{math.MaxFloat64, "1.7976931348623157e+308"},
		{1.0 / (1 << 44), "5.684341886080802e-14"},
		{1e22, "1e+22"},
		{1e23, "1e+23"},
		{math.NaN(), "nan"},
		{math.Inf(1), "inf"},
		{math.Inf(-1), "-inf"},
	} {
		if got := FormatPy(tt.x); got != tt.want {
			t.Errorf("repr(%v): %s, want %s", tt.x, got, tt.want)
		}
	}
}

func TestFormatPyReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if got, err := strconv.ParseFloat(FormatPy(x), 64); err != nil || got != x {
			t.Fatalf("%s: %v, %v; want %v", FormatPy(x), got, err, x)
		}
		digits := rapid.IntRange(0, 12).Draw(t, "digits")
		once := PyRound(x, digits)
		if PyRound(once, digits) != once {
			t.Fatalf("rounding %v to %d digits twice moves it", x, digits)
		}
		if math.Abs(x) < 1e6 && math.Abs(once-x) > 0.5000001*math.Pow10(-digits)+1e-9 {
			t.Fatalf("%v to %d digits is %v", x, digits, once)
		}
	})
}

// xs = [round((i*i*37 % 101)/101, 3) for i in range(300)]
// sum(xs[:n])/n of Python 3.12 and 3.13; float(numpy.std(xs[:n])) of numpy 2
func TestSummarize(t *testing.T) {
	xs := make([]float64, 300)
	for i := range xs {
		xs[i] = PyRound(float64(i*i*37%101)/101, 3)
	}
	for _, tt := range []struct {
		n         int
		mean, std float64
	}{
		{1, 0, 0},
		{2, 0.183, 0.183},
		{7, 0.3335714285714286, 0.25666256733187204},
		{8, 0.410625, 0.3149634651431813},
		{9, 0.41455555555555557, 0.2971584355229868},
		{127, 0.504, 0.29866050038160213},
		{128, 0.50509375, 0.29774681037072},
		{129, 0.5016356589147287, 0.2991598296725049},
		{136, 0.49497058823529416, 0.3016158430553788},
		{300, 0.49624000000000007, 0.30240734514889017},
	} {
		got := Summarize(xs[:tt.n])
		if got.N != tt.n || got.Mean != tt.mean || got.Std != tt.std || got.Min != 0 {
			t.Errorf("%d values: %+v, want mean %v and std %v to the last bit", tt.n, got, tt.mean, tt.std)
		}
	}
	// numpy.sum of these, and numpy.std of [(i*i*7919 % 1009)/97 for i in range(410)]: the order of adding up shows.
	if seven, eight := pairwiseSum([]float64{1e16, 1, 1, 1, -1e16, 1, 1}),
		pairwiseSum([]float64{1e16, 1, 1, 1, -1e16, 1, 1, 1}); seven != 2 || eight != 4 {
		t.Errorf("sums of seven and eight: %v and %v", seven, eight)
	}
	long := make([]float64, 410)
	for i := range long {
		long[i] = float64(i*i*7919%1009) / 97
	}
	if got := Summarize(long).Std; got != 2.9345699730834016 {
		t.Errorf("std of 410 values: %v", got)
	}
	if got := Summarize(nil); got != (Summary{}) {
		t.Errorf("no values: %+v", got)
	}
	if got, want := Summarize([]float64{3, -1}), (Summary{N: 2, Mean: 1, Std: 2, Min: -1, Max: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Mean([]float64{1e16, 1, -1e16}) * 3; got != 1 {
		t.Errorf("the compensated sum is %v, want 1", got)
	}
	if !math.IsNaN(Mean(nil)) {
		t.Error("the mean of nothing is a number")
	}
}

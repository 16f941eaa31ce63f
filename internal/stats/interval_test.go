package stats

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestMeanCISaysWhatItCannotSay(t *testing.T) {
	unit, free := Unit(0.95), MeanOptions{}
	for _, tt := range []struct {
		name   string
		groups [][]float64
		o      MeanOptions
		why    string
	}{
		{"nothing", nil, unit, "no values"},
		{"empty groups", [][]float64{{}, {}}, unit, "no values"},
		{"one value", [][]float64{{0.5}}, unit, "one task"},
		{"many rollouts of one task", [][]float64{{0.5, 0.7, 0.9}, {}}, unit, "one task"},
		{"all equal without bounds", [][]float64{{0.5}, {0.5, 0.5}}, free, "all tasks scored the same"},
		{"NaN", [][]float64{{0.5}, {math.NaN()}}, unit, "a value is not a number"},
		{"infinity", [][]float64{{0.5}, {math.Inf(1)}}, free, "a value is not a number"},
		{"out of bounds", [][]float64{{0.5}, {1.5}}, unit, "a value is out of bounds"},
		{"one resample", [][]float64{{0.5}, {0.6}}, MeanOptions{Method: MethodBootstrap, Resamples: 1}, "no variation was left to measure"},
		{"no variation but on paper", [][]float64{{1e-170}, {0}}, free, "no variation was left to measure"},
		{"unknown method", [][]float64{{0.5}, {0.6}}, MeanOptions{Method: "guess"}, "unknown method guess"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := MeanCI(tt.groups, tt.o)
			if got.OK() || got.Why != tt.why || !math.IsNaN(got.Lo) || !math.IsNaN(got.Hi) || !math.IsNaN(got.Width()) {
				t.Errorf("%+v, want %q", got, tt.why)
			}
			if got.String() != "n/a ("+tt.why+")" {
				t.Errorf("%s", got)
			}
		})
	}
	for _, bad := range []Interval{Wilson(0, 0, 0), Wilson(-1, 3, 0), Wilson(4, 3, 0),
		PairedProportionCI(0, 0, 0, 0), PairedProportionCI(3, 2, 2, 0)} {
		if bad.OK() {
			t.Errorf("%+v is an interval", bad)
		}
	}
}

func TestAllEqualIsNotCertain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		groups [][]float64
		o      MeanOptions
		lo, hi float64
	}{
		// .025^(1/6) = 0.5407: the exact interval for 6 of 6.
		{"six times 1", Singles([]float64{1, 1, 1, 1, 1, 1}), Unit(0.95), 0.5407418735600996, 1},
		{"six times 0", Singles([]float64{0, 0, 0, 0, 0, 0}), Unit(0.95), 0, 1 - 0.5407418735600996},
		{"six times .5", Singles([]float64{.5, .5, .5, .5, .5, .5}), Unit(0.95), 0.2703709367800498, 1 - 0.2703709367800498},
		{"three tasks, two rollouts", [][]float64{{1, 1}, {1, 1}, {1, 1}}, Unit(0.95), 0.2924017738212867, 1},
		{"tasks equal, rollouts not", [][]float64{{0, 1}, {1, 0}, {.5, .5}}, Unit(0.95), 0.14620088691064335, 1 - 0.14620088691064335},
		{"equal but for rounding", [][]float64{{0.1, 0.2, 0.3}, {0.3, 0.2, 0.1}, {0.2}}, Unit(0.95), 0.2 * 0.2924017738212867, 1 - 0.8*0.2924017738212867},
		{"next to nothing", [][]float64{{1e-170}, {0}, {0}}, Unit(0.95), 0, 1 - 0.2924017738212867},
		{"all -1 of -1 to 1", Singles([]float64{-1, -1, -1}), MeanOptions{Min: -1, Max: 1}, -1, 1 - 2*0.2924017738212867},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, method := range []string{"", MethodBootstrap, MethodBCa} {
				tt.o.Method = method
				want := Interval{Lo: tt.lo, Hi: tt.hi, Level: 0.95, Method: "all-equal"}
				if diff := cmp.Diff(want, MeanCI(tt.groups, tt.o), near(1e-12)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestWilsonEndsAreExact(t *testing.T) {
	for n := 1; n < 2000; n++ {
		if none, all := Wilson(0, n, 0.95), Wilson(n, n, 0.95); none.Lo != 0 || all.Hi != 1 {
			t.Fatalf("%d: %v and %v", n, none, all)
		}
	}
}

func TestPairedProportionCI(t *testing.T) {
	// u, d = 5/22, 3/22; u - d ± norm.ppf(.975)*sqrt((u + d - (u-d)**2)/22)
	want := Interval{Lo: -0.15819352787359153, Hi: 0.34001170969177336, Level: 0.95, Method: "bonett-price"}
	if diff := cmp.Diff(want, PairedProportionCI(20, 4, 2, 0.95), near(1e-12)); diff != "" {
		t.Error(diff)
	}
}

func TestIntervalJSON(t *testing.T) {
	for _, tt := range []struct {
		v    Interval
		want string
	}{
		{Interval{Lo: 0.25, Hi: 0.5, Level: 0.95, Method: "t"}, `{"lo":0.25,"hi":0.5,"level":0.95,"method":"t"}`},
		{noInterval(0.95, "t", "one task"), `{"lo":null,"hi":null,"level":0.95,"method":"t","why":"one task"}`},
	} {
		data, err := json.Marshal(tt.v)
		if err != nil || string(data) != tt.want {
			t.Errorf("%s, %v; want %s", data, err, tt.want)
		}
		var back Interval
		if err := json.Unmarshal(data, &back); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.v, back, cmpopts.EquateNaNs()); diff != "" {
			t.Error(diff)
		}
	}
	var v Interval
	if err := json.Unmarshal([]byte(`{"lo":1}`), &v); err != nil || v.OK() {
		t.Errorf("half an interval: %+v, %v", v, err)
	}
	if data, err := json.Marshal(Interval{}); err != nil || string(data) != `{"lo":null,"hi":null,"level":0}` {
		t.Errorf("no interval: %s, %v", data, err)
	}
	if err := json.Unmarshal([]byte(`[1,2]`), &v); err == nil || !strings.HasPrefix(err.Error(), "interval: ") {
		t.Errorf("a list: %v", err)
	}
	if got, want := (Interval{Lo: 0.81249, Hi: 1}).String(), "[0.812, 1.000]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func drawGroups(t *rapid.T) [][]float64 {
	value := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 1}))
	return rapid.SliceOfN(rapid.SliceOfN(value, 0, 4), 0, 8).Draw(t, "groups")
}

func TestMeanCIProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := drawGroups(t)
		o := Unit(rapid.SampledFrom([]float64{0.8, 0.95, 0.99}).Draw(t, "level"))
		o.Method = rapid.SampledFrom([]string{MethodT, MethodBootstrap, MethodBCa}).Draw(t, "method")
		o.Resamples = 200
		v := MeanCI(groups, o)
		if !v.OK() {
			return
		}
		var all []float64
		for _, g := range groups {
			all = append(all, g...)
		}
		if v.Lo < 0 || v.Hi > 1 || !(v.Lo < v.Hi) {
			t.Fatalf("%+v", v)
		}
		if mean := Mean(all); v.Method != MethodBCa && (mean < v.Lo-1e-12 || mean > v.Hi+1e-12) &&
			(v.Method != MethodBootstrap || o.Level > 0.9) {
			t.Fatalf("%v is not in %v", mean, v)
		}
		if again := MeanCI(groups, o); again != v {
			t.Fatalf("%v and then %v", v, again)
		}
		if o.Method == MethodT {
			o.Level = 0.5
			if w := MeanCI(groups, o); w.Width() > v.Width()+1e-12 {
				t.Fatalf("50 %% is wider (%v) than more (%v)", w, v)
			}
		}
	})
}

func TestProportionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "passed")
		p := float64(k) / float64(n)
		v, mirror := Wilson(k, n, 0.95), Wilson(n-k, n, 0.95)
		if !(0 <= v.Lo && v.Lo <= p && p <= v.Hi && v.Hi <= 1 && v.Lo < v.Hi) {
			t.Fatalf("%d of %d: %+v", k, n, v)
		}
		if math.Abs(v.Lo-(1-mirror.Hi)) > 1e-9 {
			t.Fatalf("%d of %d: %v is not the mirror of %v", k, n, v, mirror)
		}
		if Wilson(k, n, -3) != v {
			t.Fatal("a level that is no probability is not 0.95")
		}
	})
}

func TestClusteringWidens(t *testing.T) {
	// Eight rollouts a task that agree say little more than one (Miller 2024, section 2.2).
	var clustered [][]float64
	var flat []float64
	for _, x := range []float64{0.1, 0.9, 0.3, 0.8, 0.5, 0.2} {
		g := make([]float64, 8)
		for i := range g {
			g[i] = x + 0.001*float64(i)
		}
		clustered, flat = append(clustered, g), append(flat, g...)
	}
	one, naive := MeanCI(clustered, Unit(0.95)), MeanCI(Singles(flat), Unit(0.95))
	if ratio := one.Width() / naive.Width(); ratio < 3 {
		t.Errorf("clustered %v is only %.1f times as wide as %v", one, ratio, naive)
	}
}

func TestPassCI(t *testing.T) {
	for name, c := range map[string]struct {
		tasks [][]float64
		want  Interval
	}{
		"one verdict a task": {[][]float64{{1}, {0}, {}, {1}}, Wilson(2, 3, 0.95)},
		"several":            {[][]float64{{1, 0}, nil, {0}, {1, 1}}, MeanCI(Singles([]float64{0.5, 0, 1}), Unit(0.95))},
		"none":               {[][]float64{{}}, Wilson(0, 0, 0.95)},
	} {
		if got := PassCI(c.tasks); got.String() != c.want.String() || got.Method != c.want.Method {
			t.Errorf("%s: %s by %s, want %s by %s", name, got, got.Method, c.want, c.want.Method)
		}
	}
}

func TestEnds(t *testing.T) {
	if e := (Interval{Lo: 0.25, Hi: 0.5, Level: 0.95}).Ends(100); e == nil || *e != [2]float64{25, 50} {
		t.Error(e)
	}
	if e := Wilson(0, 0, 0.95).Ends(1); e != nil {
		t.Errorf("no interval ends at %v", *e)
	}
	if text, err := json.Marshal(Interval{}); err != nil || string(text) != `{"lo":null,"hi":null,"level":0}` {
		t.Errorf("an interval that was never made: %s, %v", text, err)
	}
}

package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Expected values were computed with Python 3.11, scipy 1.17.1 and statsmodels 0.15.0; the call stands at each table.

func near(tolerance float64) cmp.Option { return cmpopts.EquateApprox(tolerance, tolerance) }

// scipy.stats.binomtest(k, n).proportion_ci(level, method="wilson")
func TestProportionGolden(t *testing.T) {
	for _, tt := range []struct {
		passed, n int
		level     float64
		lo, hi    float64
	}{
		{147, 164, 0.95, 0.8402719638865523, 0.9342684918114623},
		{0, 6, 0.95, 0.0, 0.3903342879021653},
		{6, 6, 0.95, 0.6096657120978346, 1.0},
		{1, 10, 0.9, 0.02263490873086718, 0.34771866733585843},
		{50, 100, 0.99, 0.37527962504483986, 0.6247203749551602},
		{3, 3, 0.95, 0.4385029682449546, 1.0},
		{12799, 12800, 0.95, 0.9995575640637205, 0.9999862088860242},
		{8, 12, 0.95, 0.39062208887279953, 0.8618799089087867},
	} {
		want := Interval{Lo: tt.lo, Hi: tt.hi, Level: tt.level, Method: "wilson"}
		got := Wilson(tt.passed, tt.n, tt.level)
		if diff := cmp.Diff(want, got, near(1e-12)); diff != "" {
			t.Errorf("%d of %d at %v: %s", tt.passed, tt.n, tt.level, diff)
		}
	}
}

// n = improved + regressed; k = min(improved, regressed)
// binomtest(k, n).pvalue; min(1, 2*binom.cdf(k, n, .5) - binom.pmf(k, n, .5))
func TestMcNemarGolden(t *testing.T) {
	for _, tt := range []struct {
		improved, regressed int
		exact, mid          float64
	}{
		{6, 4, 0.75390625, 0.548828125},
		{2, 5, 0.453125, 0.2890625},
		{2, 8, 0.109375, 0.0654296875},
		{4, 14, 0.0308837890625, 0.01921081542968751},
		{4, 26, 5.9476122260093696e-05, 3.395322710275649e-05},
		{0, 0, 1, 1},
		{0, 1, 1.0, 0.5},
		{0, 5, 0.0625, 0.03125},
		{0, 6, 0.03125, 0.015625},
		{5, 5, 1.0, 1.0},
		{300, 400, 0.0001784763144856244, 0.00015498176361506457},
		{30, 31, 1.0, 0.8990763136528592},
	} {
		for _, got := range []McNemarP{McNemar(tt.improved, tt.regressed), McNemar(tt.regressed, tt.improved)} {
			if diff := cmp.Diff(McNemarP{tt.exact, tt.mid}, got, near(1e-11)); diff != "" {
				t.Errorf("%d and %d: %s", tt.improved, tt.regressed, diff)
			}
		}
	}
}

// statsmodels.stats.multitest.multipletests(ps, method="holm")[1]
func TestHolmGolden(t *testing.T) {
	got := Holm([]float64{.01, .04, math.NaN(), .03, .005, .5, .04})
	want := []float64{.05, .12, math.NaN(), .12, .03, .5, .12}
	if diff := cmp.Diff(want, got, near(1e-12), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

var someDiffs = []float64{0.1, 0.25, -0.05, 0.3, 0.0, 0.15, 0.2, -0.1}

// ttest_1samp(d, 0), its confidence_interval(.95), and
// permutation_test((d,), np.mean, permutation_type="samples", n_resamples=10**6).pvalue
func TestPairedGolden(t *testing.T) {
	if diff := cmp.Diff(TTest{T: 2.0724663502271343, DF: 7, P: 0.07693611128805906, OK: true}, PairedT(someDiffs), near(1e-10)); diff != "" {
		t.Error(diff)
	}
	want := Interval{Lo: -0.014978181439084984, Hi: 0.227478181439085, Level: 0.95, Method: "t"}
	if diff := cmp.Diff(want, MeanCI(Singles(someDiffs), MeanOptions{}), near(1e-10)); diff != "" {
		t.Error(diff)
	}
	if got := SignFlip(someDiffs, 0, 0); got != 0.109375 {
		t.Errorf("sign flip: %v, want 0.109375", got)
	}
	if got := SignFlip([]float64{2, 1, 1, 3, -1, 4, 2}, 0, 0); got != 0.0625 {
		t.Errorf("sign flip with ties: %v, want 0.0625", got)
	}
}

// sm.OLS(y, ones).fit(cov_type="cluster", cov_kwds={"groups": g}, use_t=True): params, bse, conf_int(.05)
func TestClusterGolden(t *testing.T) {
	groups := [][]float64{{1, 1, .9}, {.2, .4}, {}, {.7, .7, .7, .8}, {.5}}
	clusters, mean, _ := gather(groups, MeanOptions{})
	if se := clusterSE(clusters, mean); math.Abs(se-0.13431307) > 1e-8 {
		t.Errorf("standard error %v", se)
	}
	want := Interval{Lo: 0.26255588, Hi: 1.11744412, Level: 0.95, Method: "t"}
	if diff := cmp.Diff(want, MeanCI(groups, MeanOptions{}), near(1e-8)); diff != "" {
		t.Error(diff)
	}
	want.Hi = 1
	if diff := cmp.Diff(want, MeanCI(groups, Unit(0.95)), near(1e-8)); diff != "" {
		t.Errorf("bounded: %s", diff)
	}
}

// bootstrap((x,), np.mean, method="percentile" | "BCa", n_resamples=1000000, rng=default_rng(1)).confidence_interval
func TestBootstrapGolden(t *testing.T) {
	rewards := []float64{0.2, 0.9, 0.4, 0.85, 1, 0.7, 0.1, 0.95, 1, 1, 0.6, 0.8}
	passes := []float64{1, 1, 1, 1, 0, 1, 1, 0, 1, 1, .5, 1} // a third of the resamples' means tie with its own
	skewed := []float64{1, 2, 3, 5, 8, 13, 34, 144}
	for _, tt := range []struct {
		xs                []float64
		method            string
		lo, hi, tolerance float64
	}{
		// 100,000 draws place these quantiles to about ±0.002 and ±0.4.
		{rewards, MethodBootstrap, 0.525, 0.8708333333333332, 0.006},
		{rewards, MethodBCa, 0.5, 0.8541666666666665, 0.006},
		{passes, MethodBCa, 0.5, 0.9583333333333334, 0.001},
		{skewed, MethodBootstrap, 4.25, 61.625, 0.5},
		{skewed, MethodBCa, 6.75, 82.5, 0.5},
	} {
		xs := tt.xs
		o := MeanOptions{Method: tt.method, Resamples: 100_000, Seed: 7}
		want := Interval{Lo: tt.lo, Hi: tt.hi, Level: 0.95, Method: tt.method}
		got := MeanCI(Singles(xs), o)
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, tt.tolerance)); diff != "" {
			t.Errorf("%s: %s", tt.method, diff)
		}
		if again := MeanCI(Singles(xs), o); again != got {
			t.Errorf("%s: the same seed gave %v and %v", tt.method, got, again)
		}
		o.Seed, o.Resamples = 8, 50
		if other := MeanCI(Singles(xs), o); other == got {
			t.Errorf("%s: the seed has no effect", tt.method)
		}
	}
}

// numpy.quantile(xs, p)
func TestQuantile(t *testing.T) {
	xs := []float64{1, 2, 4, 8}
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 3, 0.9: 6.8, 1: 8} {
		if got := quantile(xs, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
}

// At a level past the pole of BCa's formula the upper quantile goes to the end instead of crossing over.
func TestBCaPole(t *testing.T) {
	xs := make([]float64, 50) // one outlier among fifty has an acceleration of .16
	for i := range xs {
		xs[i] = float64(i % 3)
	}
	xs[0] = 1000
	v := MeanCI(Singles(xs), MeanOptions{Method: MethodBCa, Level: 1 - 1e-12})
	if !v.OK() || v.Lo > 20 || v.Hi < 80 {
		t.Errorf("%v", v)
	}
}

// TTestPower().solve_power(nobs=n, alpha=.05, power=.8) and solve_power(effect_size=e, alpha=.05, power=.8)
func TestPowerGolden(t *testing.T) {
	for n, exact := range map[int]float64{6: 1.4345451395119289, 10: 0.9960019107624178, 30: 0.5292357045238948, 100: 0.2829117119690806,
		300: 0.16227121662192304} {
		if got, ok := MDEMean(1, n); !ok || math.Abs(got/exact-1) > 0.01 {
			t.Errorf("%d tasks: %v, want about %v", n, got, exact)
		}
	}
	for effect, want := range map[float64]int{0.2: 199, 0.5: 34, 1: 10} {
		got, ok := TasksForMean(effect, 1)
		if !ok || got < want-1 || got > want+1 {
			t.Errorf("effect %v: %d tasks, want about %d", effect, got, want)
		}
		if again, _ := TasksForMean(-10*effect, 10); again != got {
			t.Errorf("effect %v: %d tasks, and %d when scaled by -10", effect, got, again)
		}
	}
	// ((norm.ppf(.975)*sqrt(psi) + norm.ppf(.8)*sqrt(psi - d*d))/d)**2 and scipy.optimize.brentq of it
	if got, ok := MDEPassRate(164, 0.1); !ok || math.Abs(got-0.0686840898238022) > 1e-9 {
		t.Errorf("164 tasks, 10 %% discordance: %v", got)
	}
	if got := math.Ceil(connor(0.0681, 0.1)); got != 167 {
		t.Errorf("tasks for 6.81 points: %v", got)
	}
}

// 1 - comb(n-c, k)/comb(n, k) and comb(c, k)/comb(n, k) in integers
func TestPassGolden(t *testing.T) {
	for _, tt := range []struct {
		n, c, k  int
		any, all float64
	}{
		{10, 3, 1, 0.3, 0.3},
		{10, 3, 5, 0.9166666666666666, 0},
		{10, 3, 3, 0.7083333333333334, 0.008333333333333333},
		{200, 7, 100, 0.9929911172418123, 0},
		{200, 190, 10, 0.9999999999999996, 0.5914521339185829},
		{5, 0, 5, 0, 0},
		{5, 5, 5, 1, 1},
		{164, 1, 100, 0.6097560975609756, 0},
		{8, 6, 4, 1, 0.21428571428571427},
	} {
		anyOf, err := PassAtK(tt.n, tt.c, tt.k)
		if err != nil || math.Abs(anyOf-tt.any) > 1e-14 {
			t.Errorf("pass@%d of %d/%d: %v, %v; want %v", tt.k, tt.c, tt.n, anyOf, err, tt.any)
		}
		all, err := PassAllK(tt.n, tt.c, tt.k)
		if err != nil || math.Abs(all-tt.all) > 1e-14 {
			t.Errorf("pass^%d of %d/%d: %v, %v; want %v", tt.k, tt.c, tt.n, all, err, tt.all)
		}
	}
	if got, err := PassAtK(1_000_000, 1, 500_000); err != nil || got != 0.5 {
		t.Errorf("one of a million: %v, %v", got, err)
	}
	for _, bad := range [][3]int{{10, 3, 11}, {10, 3, 0}, {10, 11, 1}, {10, -1, 1}, {0, 0, 1}} {
		if _, err := PassAtK(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("PassAtK%v: no error", bad)
		}
		if _, err := PassAllK(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("PassAllK%v: no error", bad)
		}
	}
}

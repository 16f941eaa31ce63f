package difflib_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/difflib"
	"pgregory.net/rapid"
)

// The ratios of this file were printed by CPython 3.11.7: SequenceMatcher(None, a, b).ratio().
func TestRatioIsPythons(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 1.0},
		{"", "x", 0.0},
		{"x", "", 0.0},
		{"abcd", "bcde", 0.75},
		{"bcde", "abcd", 0.75},
		{"tide", "diet", 0.25}, // not symmetric
		{"diet", "tide", 0.5},
		{"private Thread currentThread;", "private volatile Thread currentThread;", 0.8656716417910447},
		{"qabxcd", "abycdf", 0.6666666666666666},
		{"ab", "acab", 0.6666666666666666},
		{" abcd", "abcd abcd", 0.7142857142857143},
		{"aaab", "baaa", 0.75},
		{"abxyab", "abyxab", 0.8333333333333334},
		{"the quick brown fox", "the slow brown dog", 0.6486486486486487},
		{"na\u00efve caf\u00e9 \u2014 r\u00e9sum\u00e9", "naive cafe - resume", 0.7368421052631579},
		{"\U0001F600\U0001F680x", "x\U0001F680\U0001F600", 0.3333333333333333}, // code points, not UTF-16 units
		{"\u00e9", "e\u0301", 0.0},
		{"\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8", "\u65e5\u672c\u306e\u30c6\u30ad\u30b9\u30c8", 0.9333333333333333},
		{"hardcoded secret_key in app.py", "app.py line 6: the secret key is hardcoded", 0.25},
		{"tests are empty stubs", "all of the tests are stubs with no assertions", 0.45454545454545453},
		{"sql injection in routes.py", "no input validation on post /todos", 0.43333333333333335},
	} {
		if got := difflib.Ratio(c.a, c.b); got != c.want {
			t.Errorf("Ratio(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestPopularCharacters covers texts on both sides of the 200 code points at which popular characters become junk.
func TestPopularCharacters(t *testing.T) {
	r := strings.Repeat
	const az, za = "abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba"
	as := []string{"abababab", r("cab", 10), r("ab", 100), r(az, 8), za, r("b", 199) + "c", "x" + r("ab", 50) + "y"}
	bs := []string{r("ab", 99) + "c", r("ab", 99) + "cd", r("ab", 100), r("ab", 100) + "xyz", r("abc", 67), r(az, 7), r(az, 8),
		"c" + r("b", 199), "xy" + r("ab", 150) + "z"}
	want := [][]float64{
		{0.07729468599033816, 0.07692307692307693, 0.07692307692307693, 0.07582938388625593, 0.019138755980861243, 0.08421052631578947, 0.018518518518518517, 0, 0},
		{0.026200873362445413, 0.008695652173913044, 0, 0, 0, 0.19811320754716982, 0, 0.008695652173913044, 0},
		{0.9924812030075187, 0.99, 1, 0.9925558312655087, 0.00997506234413965, 0.07329842931937172, 0.00980392156862745, 0, 0},
		{0.014742014742014743, 0.0196078431372549, 0.00980392156862745, 0.024330900243309004, 0.014669926650366748, 0.9333333333333333, 1, 0.004901960784313725, 0.011741682974559686},
		{0.017777777777777778, 0.008849557522123894, 0, 0.008733624454148471, 0, 0.0673076923076923, 0, 0.017699115044247787, 0.0060790273556231},
		{0.5012531328320802, 0.01, 0, 0, 0, 0.010471204188481676, 0, 0.005, 0},
		{0.6644518272425249, 0, 0, 0.013114754098360656, 0, 0.1056338028169014, 0, 0, 0.009876543209876543},
	}
	for j, b := range bs {
		m := difflib.NewMatcher(b) // one for all of them: nothing may stay behind
		for i, a := range as {
			if got := m.Ratio(a); got != want[i][j] {
				t.Errorf("Ratio(a%d, b%d) = %v, want %v", i, j, got, want[i][j])
			}
		}
	}
}

func TestGoldenRatios(t *testing.T) {
	data, err := os.ReadFile("../../../../shared/data/orchestration/sequence_matcher_golden.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("sequence_matcher_golden.json is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Pairs []struct {
			ID    int
			A, B  string
			Ratio float64
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Pairs) != 200 {
		t.Fatalf("%d pairs, want 200", len(golden.Pairs))
	}
	for _, p := range golden.Pairs {
		if got := difflib.Ratio(difflib.Lower(p.A), difflib.Lower(p.B)); math.Abs(got-p.Ratio) > 1e-9 {
			t.Errorf("pair %d: %v, want %v", p.ID, got, p.Ratio)
		}
	}
}

// slow is the definition, without the popular characters: of the longest common substrings the one first in a, then
// first in b, and the same to its left and right.
func slow(a, b []rune) int {
	bi, bj, size := 0, 0, 0
	for i := range a {
		for j := range b {
			k := 0
			for i+k < len(a) && j+k < len(b) && a[i+k] == b[j+k] {
				k++
			}
			if k > size {
				bi, bj, size = i, j, k
			}
		}
	}
	if size == 0 {
		return 0
	}
	return size + slow(a[:bi], b[:bj]) + slow(a[bi+size:], b[bj+size:])
}

func TestRatioFollowsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("aabcé😀")), 0, 40, -1)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := 1.0
		if len(a)+len(b) > 0 {
			want = 2 * float64(slow([]rune(a), []rune(b))) / float64(len([]rune(a))+len([]rune(b)))
		}
		if got := difflib.Ratio(a, b); got != want {
			t.Fatalf("Ratio(%q, %q) = %v, want %v", a, b, got, want)
		}
	})
}

func TestAtLeastIsTheRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("abcdefgh ")), 0, 300, -1)
		b := text.Draw(t, "b")
		m := difflib.NewMatcher(b)
		for range 3 {
			a, least := text.Draw(t, "a"), float64(rapid.IntRange(0, 100).Draw(t, "percent"))/100
			ratio := difflib.Ratio(a, b)
			for _, l := range []float64{least, ratio, math.Nextafter(ratio, 2)} {
				if got := m.AtLeast(a, l); got != (ratio >= l) {
					t.Fatalf("AtLeast(%q, %v) = %v with ratio %v against %q", a, l, got, ratio, b)
				}
			}
		}
	})
}

func TestLowerIsPythons(t *testing.T) {
	for in, want := range map[string]string{ // printed by CPython 3.11.7: str.lower()
		"":                                "",
		"ASCII Only_1":                    "ascii only_1",
		"\u0391\u03a3":                    "\u03b1\u03c2",
		"\u0391\u03a3\u0391":              "\u03b1\u03c3\u03b1",
		"\u03a3":                          "\u03c3",
		"\u0391\u03a3.":                   "\u03b1\u03c2.",
		"\u0391.\u03a3":                   "\u03b1.\u03c2",
		"\u0391\u03a3.\u0391":             "\u03b1\u03c3.\u03b1",
		"\u0130stanbul":                   "i\u0307stanbul",
		"STRASSE \u1e9e":                  "strasse \u00df",
		"\u01c5":                          "\u01c6",
		"\u03a3\u03a3":                    "\u03c3\u03c2",
		"\u0391\u03a3\u0301":              "\u03b1\u03c2\u0301",
		"\u0391\u0301\u03a3":              "\u03b1\u0301\u03c2",
		"1\u03a3":                         "1\u03c3",
		"\u00aa\u03a3":                    "\u00aa\u03c2",
		"\u00c0\u00c9":                    "\u00e0\u00e9",
		"a\u03a3b":                        "a\u03c3b",
		"K\u212a":                         "kk",
		"\u2167\u24b6":                    "\u2177\u24d0",
		"A\u2019\u03a3\u2019":             "a\u2019\u03c2\u2019",
		"A\u00ad\u03a3":                   "a\u00ad\u03c2",
		"\u038c\u0394\u039f\u03a3 \u039f": "\u03cc\u03b4\u03bf\u03c2 \u03bf",
	} {
		if got := difflib.Lower(in); got != want {
			t.Errorf("Lower(%+q) = %+q, want %+q", in, got, want)
		}
	}
}

func FuzzRatio(f *testing.F) {
	f.Add("hardcoded secret", "a hardcoded SECRET_KEY", 0.4)
	f.Add(strings.Repeat("ab", 150), strings.Repeat("ba", 150)+"c", 0.5)
	f.Add("\xff\xfe", "\u0130\u03a3", 0.0)
	f.Fuzz(func(t *testing.T, a, b string, least float64) {
		a, b = a[:min(len(a), 2000)], b[:min(len(b), 2000)]
		a, b = difflib.Lower(a), difflib.Lower(b)
		m := difflib.NewMatcher(b)
		ratio := m.Ratio(a)
		if !(ratio >= 0 && ratio <= 1) {
			t.Fatalf("ratio %v", ratio)
		}
		if m.Ratio(b) != 1 && len([]rune(b)) < 200 {
			t.Fatalf("%q is not equal to itself", b)
		}
		if m.AtLeast(a, least) != (ratio >= least) || m.Ratio(a) != ratio {
			t.Fatalf("comparisons of %q with %q differ", a, b)
		}
	})
}

func BenchmarkAtLeast(b *testing.B) {
	truths := []string{
		"sql injection in routes.py — f-string interpolation in insert and delete queries", "hardcoded secret_key in app.py",
		"no authentication middleware — all routes are public", "tests are empty stubs with no assertions",
	}
	bullets := []string{
		"**sql injection** in `routes.py`: create_todo builds the insert statement with an f-string from user input",
		"the flask secret key is hardcoded in `app.py` and should come from the environment",
		"readme.md is short and says nothing about how to run the tests",
		"add type hints and docstrings to every public function of the api, and a linter to the build",
	}
	b.Run("prefiltered", func(b *testing.B) {
		for b.Loop() {
			for _, bullet := range bullets {
				m := difflib.NewMatcher(bullet)
				for _, truth := range truths {
					m.AtLeast(truth, 0.4)
				}
			}
		}
	})
	b.Run("ratio", func(b *testing.B) {
		for b.Loop() {
			for _, bullet := range bullets {
				for _, truth := range truths {
					difflib.Ratio(truth, bullet)
				}
			}
		}
	})
}

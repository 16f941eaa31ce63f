package finding

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	truth := func(line, end int, category string) Truth { return Truth{"a.py", line, end, category} }
	claim := func(line, end int, category string) Finding {
		return Finding{File: "a.py", Line: line, EndLine: end, Category: category}
	}
	one := []Truth{truth(10, 12, "injection")}
	tests := []struct {
		name   string
		truths []Truth
		fs     []Finding
		o      MatchOptions
		want   Matching
	}{
		{name: "nothing"},
		{name: "no findings", truths: one, want: Matching{Missed: []int{0}}},
		{name: "no truths", fs: []Finding{claim(1, 1, "injection")}, want: Matching{False: []int{0}}},
		{name: "same place", truths: one, fs: []Finding{claim(10, 12, "injection")}, want: Matching{Pairs: [][2]int{{0, 0}}}},
		{name: "three lines below", truths: one, fs: []Finding{claim(15, 15, "injection")}, want: Matching{Pairs: [][2]int{{0, 0}}}},
		{name: "four lines below", truths: one, fs: []Finding{claim(16, 16, "injection")}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "three lines above", truths: one, fs: []Finding{claim(5, 7, "injection")}, want: Matching{Pairs: [][2]int{{0, 0}}}},
		{name: "four lines above", truths: one, fs: []Finding{claim(5, 6, "injection")}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "other file", truths: one, fs: []Finding{{File: "b.py", Line: 10, Category: "injection"}}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "other category", truths: one, fs: []Finding{claim(10, 12, "secrets")}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "same family", truths: one, fs: []Finding{claim(10, 12, "xss")}, want: Matching{Pairs: [][2]int{{0, 0}}}},
		{name: "no line named", truths: one, fs: []Finding{claim(0, 0, "injection")}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "no line known", truths: []Truth{truth(0, 0, "injection")}, fs: []Finding{claim(1, 1, "injection")}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "end before line", truths: []Truth{truth(10, 0, "injection")}, fs: []Finding{claim(7, 0, "injection")}, want: Matching{Pairs: [][2]int{{0, 0}}}},
		{name: "a whole function", truths: one, fs: []Finding{claim(1, 33, "injection")}, want: Matching{Pairs: [][2]int{{0, 0}}}},
		{name: "a region", truths: one, fs: []Finding{claim(1, 34, "injection")}, want: Matching{Missed: []int{0}, False: []int{0}}},
		{name: "hostile lines", truths: one, fs: []Finding{claim(1, math.MaxInt, "injection"), claim(math.MaxInt, math.MinInt, "injection"),
			claim(math.MinInt, 10, "injection")},
			want: Matching{Missed: []int{0}, False: []int{0, 1, 2}}},
		{name: "overlap asked for", truths: one, fs: []Finding{claim(13, 13, "injection"), claim(12, 13, "injection")}, o: MatchOptions{Near: -1},
			want: Matching{Pairs: [][2]int{{0, 1}}, False: []int{0}}},
		{name: "duplicates", truths: one, fs: []Finding{claim(13, 13, "injection"), claim(11, 11, "injection"), claim(11, 11, "injection")},
			want: Matching{Pairs: [][2]int{{0, 1}}, Duplicates: []int{0, 2}}},
		{name: "the literal category wins", truths: one, fs: []Finding{claim(10, 10, "xss"), claim(11, 11, "injection")},
			want: Matching{Pairs: [][2]int{{0, 1}}, Duplicates: []int{0}}},
		{name: "the closer lines win over the category", truths: one, fs: []Finding{claim(10, 10, "xss"), claim(13, 13, "injection")},
			want: Matching{Pairs: [][2]int{{0, 0}}, Duplicates: []int{1}}},
		{name: "the greedy choice would lose one", truths: []Truth{truth(10, 10, "logic"), truth(16, 16, "logic")},
			// The first finding is nearest to truth 0, but only it reaches truth 1.
			fs:   []Finding{claim(13, 13, "logic"), claim(8, 8, "logic")},
			want: Matching{Pairs: [][2]int{{0, 1}, {1, 0}}}},
		{name: "two truths on one line", truths: []Truth{truth(10, 10, "auth"), truth(10, 10, "injection")},
			fs:   []Finding{claim(10, 10, "injection")},
			want: Matching{Pairs: [][2]int{{1, 0}}, Missed: []int{0}}},
		{name: "one finding is used once", truths: []Truth{truth(10, 10, "auth"), truth(11, 11, "auth")}, fs: []Finding{claim(11, 11, "auth")},
			want: Matching{Pairs: [][2]int{{1, 0}}, Missed: []int{0}}},
		{name: "decoy", truths: one, fs: []Finding{claim(50, 50, "injection"), claim(60, 60, "injection"), claim(52, 52, "auth")},
			o:    MatchOptions{Decoys: []Truth{truth(48, 48, "injection"), truth(51, 51, "injection")}},
			want: Matching{Missed: []int{0}, False: []int{0, 1, 2}, Decoys: [][2]int{{1, 0}}}},
		{name: "the nearest decoy", fs: []Finding{claim(50, 50, "auth"), claim(52, 52, "auth")},
			o:    MatchOptions{Decoys: []Truth{truth(49, 49, "auth"), truth(53, 53, "auth")}},
			want: Matching{False: []int{0, 1}, Decoys: [][2]int{{0, 0}, {1, 1}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Match(tt.truths, tt.fs, tt.o)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFamilies(t *testing.T) {
	known := taxonomy.Categories()
	kin := map[string]int{}
	for _, f := range families() {
		for i, c := range f {
			if !slices.Contains(known, c) {
				t.Errorf("%q is no category", c)
			}
			kin[c]++
			if !SameFamily(c, f[1-i]) {
				t.Errorf("%s and %s: not symmetric", c, f[1-i])
			}
		}
	}
	// The promise against spammers: no word stands for more than three.
	for c, n := range kin {
		if n > 2 {
			t.Errorf("%s stands for %d others", c, n)
		}
	}
	if SameFamily("other", "logic") || SameFamily("", "logic") || !SameFamily("other", "other") {
		t.Error("other stands for something")
	}
}

// drawCase draws a few truths and findings that crowd together.
func drawCase(t *rapid.T) ([]Truth, []Finding) {
	file := rapid.SampledFrom([]string{"a.py", "a.py", "b.py"})
	line := rapid.IntRange(0, 14)
	category := rapid.SampledFrom([]string{"logic", "logic", "comparison", "auth"})
	truths := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Truth {
		l := line.Draw(t, "line")
		return Truth{file.Draw(t, "file"), l, l + rapid.IntRange(-1, 3).Draw(t, "more"), category.Draw(t, "category")}
	}), 0, 5).Draw(t, "truths")
	fs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Finding {
		l := line.Draw(t, "line")
		return Finding{File: file.Draw(t, "file"), Line: l, EndLine: l + rapid.IntRange(-1, 3).Draw(t, "more"),
			Category: category.Draw(t, "category"),
			Title:    rapid.SampledFrom([]string{"x", "y"}).Draw(t, "title")}
	}), 0, 7).Draw(t, "findings")
	return truths, fs
}

// pairCost restates the rule in the plainest way: gap, other category, distance of first lines.
func pairCost(t Truth, f Finding) (cost [3]int, ok bool) {
	end, tEnd := max(f.EndLine, f.Line), max(t.EndLine, t.Line)
	gap := max(0, f.Line-tEnd, t.Line-end)
	if t.File != f.File || t.Line == 0 || f.Line == 0 || gap > 3 || !SameFamily(t.Category, f.Category) {
		return cost, false
	}
	cost = [3]int{gap, 0, max(f.Line-t.Line, t.Line-f.Line)}
	if t.Category != f.Category {
		cost[1] = 1
	}
	return cost, true
}

// best tries every assignment.
func best(truths []Truth, fs []Finding, at int, used []bool) (found int, cost [3]int) {
	if at == len(truths) {
		return 0, cost
	}
	found, cost = best(truths, fs, at+1, used)
	for i, f := range fs {
		c, ok := pairCost(truths[at], f)
		if !ok || used[i] {
			continue
		}
		used[i] = true
		n, rest := best(truths, fs, at+1, used)
		used[i] = false
		sum := [3]int{c[0] + rest[0], c[1] + rest[1], c[2] + rest[2]}
		if n+1 > found || n+1 == found && slices.Compare(sum[:], cost[:]) < 0 {
			found, cost = n+1, sum
		}
	}
	return found, cost
}

func TestMatchIsTheBestThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truths, fs := drawCase(t)
		m := Match(truths, fs, MatchOptions{})
		found, cost := best(truths, fs, 0, make([]bool, len(fs)))
		var got [3]int
		for _, p := range m.Pairs {
			c, ok := pairCost(truths[p[0]], fs[p[1]])
			if !ok {
				t.Fatalf("pair %v does not fit", p)
			}
			got = [3]int{got[0] + c[0], got[1] + c[1], got[2] + c[2]}
		}
		if len(m.Pairs) != found || got != cost {
			t.Fatalf("%d pairs at %v, but %d at %v can be had", len(m.Pairs), got, found, cost)
		}
	})
}

func TestMatchPartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truths, fs := drawCase(t)
		m := Match(truths, fs, MatchOptions{})
		timesTruth, timesFinding := make([]int, len(truths)), make([]int, len(fs))
		for _, p := range m.Pairs {
			timesTruth[p[0]]++
			timesFinding[p[1]]++
		}
		for _, i := range m.Missed {
			timesTruth[i]++
		}
		for _, i := range slices.Concat(m.Duplicates, m.False) {
			timesFinding[i]++
		}
		for i, n := range slices.Concat(timesTruth, timesFinding) {
			if n != 1 {
				t.Fatalf("entry %d occurs %d times in %+v", i, n, m)
			}
		}
		fits := func(i int) bool {
			return slices.ContainsFunc(truths, func(tr Truth) bool { _, ok := pairCost(tr, fs[i]); return ok })
		}
		for _, i := range m.Duplicates {
			if !fits(i) {
				t.Fatalf("duplicate %d fits no truth", i)
			}
		}
		for _, i := range m.False {
			if fits(i) {
				t.Fatalf("false %d fits a truth", i)
			}
		}
	})
}

func TestMatchDoesNotDependOnOrder(t *testing.T) {
	// What a matching says, with findings by content instead of by index.
	said := func(truths []Truth, fs []Finding, m Matching) []string {
		var lines []string
		for _, p := range m.Pairs {
			lines = append(lines, fmt.Sprint("pair ", truths[p[0]], fs[p[1]], fs[p[1]].Title))
		}
		for _, i := range m.Missed {
			lines = append(lines, fmt.Sprint("missed ", truths[i]))
		}
		for _, i := range m.Duplicates {
			lines = append(lines, fmt.Sprint("duplicate ", fs[i], fs[i].Title))
		}
		for _, i := range m.False {
			lines = append(lines, fmt.Sprint("false ", fs[i], fs[i].Title))
		}
		slices.Sort(lines)
		return lines
	}
	rapid.Check(t, func(t *rapid.T) {
		truths, fs := drawCase(t)
		truths2 := rapid.Permutation(truths).Draw(t, "truths in another order")
		fs2 := rapid.Permutation(fs).Draw(t, "findings in another order")
		want := said(truths, fs, Match(truths, fs, MatchOptions{}))
		if diff := cmp.Diff(want, said(truths2, fs2, Match(truths2, fs2, MatchOptions{}))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestMatchIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truths, fs := drawCase(t)
		if len(fs) == 0 || len(truths) == 0 {
			return
		}
		all := len(Match(truths, fs, MatchOptions{}).Pairs)
		if less := len(Match(truths, fs[1:], MatchOptions{}).Pairs); less > all || less < all-1 {
			t.Fatalf("%d without the first finding, %d with it", less, all)
		}
		if less := len(Match(truths[1:], fs, MatchOptions{}).Pairs); less > all || less < all-1 {
			t.Fatalf("%d without the first truth, %d with it", less, all)
		}
	})
}

// benchCase is 100 truths and 10,000 findings: spread over 20 files, or with every finding crowding around the truths.
func benchCase(crowded bool) ([]Truth, []Finding) {
	rng := rand.New(rand.NewPCG(1, 2))
	categories := taxonomy.Categories()
	truths := make([]Truth, 100)
	for i := range truths {
		truths[i] = Truth{fmt.Sprintf("src/%d.py", i%20), 1 + rng.IntN(500), 0, categories[rng.IntN(len(categories))]}
	}
	fs := make([]Finding, 10_000)
	for i := range fs {
		t := truths[rng.IntN(len(truths))]
		fs[i] = Finding{File: t.File, Line: 1 + rng.IntN(500), Category: categories[rng.IntN(len(categories))], Title: "a title",
			Confidence: rng.Float64()}
		if crowded {
			fs[i].Line, fs[i].Category = t.Line+rng.IntN(3), t.Category
		}
	}
	return truths, fs
}

func BenchmarkMatch(b *testing.B) {
	for _, crowded := range []bool{false, true} {
		truths, fs := benchCase(crowded)
		b.Run(map[bool]string{false: "spread", true: "crowded"}[crowded], func(b *testing.B) {
			for b.Loop() {
				Match(truths, fs, MatchOptions{})
			}
		})
	}
	// 100 truths in a row that all compete for the same findings: more than any real ground truth has.
	truths, fs := benchCase(true)
	for i := range truths {
		truths[i] = Truth{"a.py", i + 1, 0, "logic"}
	}
	for i := range fs {
		fs[i].File, fs[i].Line, fs[i].Category = "a.py", i%100+1, "logic"
	}
	b.Run("chained", func(b *testing.B) {
		for b.Loop() {
			Match(truths, fs, MatchOptions{})
		}
	})
}

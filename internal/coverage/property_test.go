package coverage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// repository draws a small codebase with much repetition in and between files.
func repository(t *rapid.T) texts {
	line := rapid.SampledFrom([]string{"", "}", "return nil", "  return nil", "x := 1", "if err != nil {", "a", "b", "c", "1: one",
		"\tdeep()", "s = \"q\""})
	unique := rapid.StringMatching(`v[0-9]{1,3} = [a-z]{3,8}\(\)`)
	src := texts{}
	for i := range rapid.IntRange(1, 8).Draw(t, "files") {
		text := rapid.SliceOfN(rapid.OneOf(line, line, unique), 0, 30).Draw(t, "lines")
		src["dir/f"+strconv.Itoa(i)+".go"] = strings.Join(text, "\n")
	}
	return src
}

func TestEveryTextIsFullCoverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := repository(t)
		apart, together := New(src), New(src)
		var all strings.Builder
		for _, p := range rapid.Permutation(src.Paths()).Draw(t, "order") {
			prompt := "=== " + p + " ===\n" + src[p] + "\n"
			all.WriteString(prompt)
			apart.Dispatch(prompt)
		}
		together.Dispatch(all.String())
		if f := apart.Fraction(); f != 1 {
			t.Fatalf("a prompt a file: fraction %v, uncovered %v", f, apart.Uncovered())
		}
		if f := together.Fraction(); f != 1 {
			t.Fatalf("one prompt: fraction %v, files %+v", f, together.Files())
		}
	})
}

func TestUnnamedTextsAreFullCoverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := repository(t)
		l := New(src)
		for _, p := range src.Paths() {
			l.Dispatch(src[p])
		}
		if f := l.Fraction(); f != 1 {
			t.Fatalf("fraction %v, files %+v", f, l.Files())
		}
	})
}

func TestMonotoneAndOrderIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := repository(t)
		var joined []string
		for _, p := range src.Paths() {
			joined = append(joined, p, src[p])
		}
		all := strings.Join(joined, "\n")
		var prompts []string
		for range rapid.IntRange(1, 6).Draw(t, "prompts") {
			from := rapid.IntRange(0, len(all)).Draw(t, "from")
			to := rapid.IntRange(from, len(all)).Draw(t, "to")
			prompts = append(prompts, all[from:to])
		}
		forward, other := New(src), New(src)
		before := forward.Fraction()
		for _, p := range prompts {
			forward.Dispatch(p)
			now := forward.Fraction()
			if now < before || now > 1 {
				t.Fatalf("fraction went from %v to %v", before, now)
			}
			before = now
		}
		for _, p := range rapid.Permutation(prompts).Draw(t, "order") {
			other.Dispatch(p)
		}
		if diff := cmp.Diff(forward.Files(), other.Files()); diff != "" {
			t.Fatalf("order matters:\n%s", diff)
		}
	})
}

func TestPathsCoverNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := repository(t)
		l := New(src)
		before := l.Totals()
		format := rapid.SampledFrom([]string{"%s\n", "- %s\n", "%s (12 lines)\n", "\"%s\": 100,\n", "1: %s\n", "### %s\n\n"}).Draw(t, "format")
		var sb strings.Builder
		for _, p := range src.Paths() {
			fmt.Fprintf(&sb, format, p)
		}
		if got := l.Dispatch(sb.String()); len(got) > 0 || l.Totals() != before {
			t.Fatalf("%v, %+v", got, l.Totals())
		}
	})
}

func FuzzDispatch(f *testing.F) {
	src := texts{"a.py": program("a", 5), "b.py": "x\ny\n", "c.js": strings.Repeat("ab;", 500), "d": licence}
	for _, s := range []string{"", "a.py\n" + src["a.py"], `"a\nb\nc\n"`, "1: x\n2: y\n", src["c.js"], `\u12`, `'\n\n\n\`} {
		f.Add(s)
	}
	l := New(src)
	f.Fuzz(func(t *testing.T, prompt string) {
		l.Dispatch(prompt)
		if got := l.Totals(); got.LinesDispatched > got.LinesTotal {
			t.Fatalf("%+v", got)
		}
		for _, fc := range l.Files() {
			last := 0
			for _, r := range fc.DispatchedRanges {
				if r[0] <= last || r[1] < r[0] || r[1] > fc.Lines {
					t.Fatalf("%+v", fc)
				}
				last = r[1]
			}
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	src := texts{}
	for i := range 40 {
		src[fmt.Sprintf("f%02d.py", i)] = licence + program(fmt.Sprintf("f%02d", i), 30)
	}
	l := New(src)
	var wg sync.WaitGroup
	for _, p := range src.Paths() {
		wg.Go(func() {
			if got := l.Dispatch(src[p]); !slices.Equal(got, []string{p}) {
				t.Errorf("%s is of %v", p, got)
			}
			l.Read(src[p])
			l.Files()
			l.Uncovered()
		})
	}
	wg.Wait()
	want := Totals{LinesTotal: 40 * 35, LinesDispatched: 40 * 35, LinesAnswered: 40 * 35, LinesJudged: 40 * 35,
		LinesRead: 40 * 35, FilesTotal: 40, FilesDispatched: 40, LinesSent: 40 * 35}
	if diff := cmp.Diff(want, l.Totals()); diff != "" {
		t.Error(diff)
	}
}

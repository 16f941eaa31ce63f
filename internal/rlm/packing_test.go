package rlm

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
	"pgregory.net/rapid"
)

// packer is a node that can pack a codebase.
func packer(files map[string]string, most int) *node {
	code := codebase.FromMap(files)
	return &node{run: &run{cfg: Config{Codebase: code}, ledger: coverage.New(code), metadata: metadata{WorkerMaxChars: most}}}
}

var shownLine = regexp.MustCompile(`^ *(\d+)\| (.*)$`)

// unpacked are the lines that prompts hold, by the file's name as it is shown; the parts of a line are put together.
func unpacked(t *rapid.T, prompts []string) map[string][]string {
	all := map[string][]string{}
	for _, prompt := range prompts {
		body, _, ok := strings.Cut("\n"+prompt, "\n=== END ===\n")
		if !ok {
			t.Fatalf("a prompt without an end: %q", prompt)
		}
		name, next, last := "", 0, 0
		for row := range strings.SplitSeq(strings.TrimPrefix(body, "\n"), "\n") {
			if m := shownLine.FindStringSubmatch(row); m != nil {
				n, _ := strconv.Atoi(m[1])
				switch lines := all[name]; {
				case n == len(lines)+1:
					all[name] = append(lines, m[2])
				case n == len(lines) && n > 0:
					lines[n-1] += m[2] // the rest of a long line
				default:
					t.Fatalf("line %d of %s comes after %d", n, name, len(lines))
				}
				if n < next || n > last {
					t.Fatalf("line %d stands under a header of %d-%d", n, next, last)
				}
				next = n
				continue
			}
			rest, ok := strings.CutPrefix(row, "=== FILE: ")
			i := strings.LastIndex(rest, " (lines ")
			if !ok || i < 0 {
				t.Fatalf("neither a header nor a line: %q", row)
			}
			if _, err := fmt.Sscanf(rest[i:], " (lines %d-%d of", &next, &last); err != nil {
				t.Fatal(err)
			}
			name = rest[:i]
		}
	}
	return all
}

// minified is a long line of n calls.
func minified(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "é%d(%d);", i*n%1009, i)
	}
	return b.String()
}

// Every line is in the prompts once, under its number; no prompt is too long; and the ledger finds all lines in them.
func TestPackHoldsEveryLineOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.SampledFrom([]string{"", "}", "  12| twelve", "=== END ===", "=== FILE: x.py (lines 1-2 of 2) ===", "7: x"}),
			rapid.StringMatching(`[a-zé日 ]{0,60}`), rapid.Map(rapid.IntRange(30, 300), minified))
		files := map[string]string{}
		for range rapid.IntRange(1, 5).Draw(t, "files") {
			name := rapid.SampledFrom([]string{"a.py", "b/c.go", "new\nline.py", "esc\x1b[2J.js", `"quoted".c`, "=== END ===.rb",
				"x (lines 1-2 of 2) ===.py"}).Draw(t, "name")
			end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
			lines := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
			for i, l := range lines {
				if len(l) > 200 { // long lines differ, from their beginnings
					lines[i] = fmt.Sprintf("%s:%d %s", name[:1], i, l)
				}
			}
			files[name] = strings.Join(lines, end)
		}
		limit := rapid.IntRange(1000, 6000).Draw(t, "limit")
		n := packer(files, 4000)
		known := []finding.Finding{{File: "a.py", Line: 3, Title: "known " + strings.Repeat("x", 300)}}[:rapid.IntRange(0, 1).Draw(t, "known")]
		prompts, err := n.prompts(t.Context(), packing{Paths: slices.Sorted(maps.Keys(files)), Task: "Look.", Limit: limit}, known)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range prompts {
			if len(p) > min(limit, 4000) {
				t.Fatalf("a prompt of %d characters, the limit is %d", len(p), limit)
			}
			n.run.ledger.Dispatch(p)
			n.run.ledger.Answered(n.run.ledger.Match(p))
		}
		got := unpacked(t, prompts)
		for path, text := range files {
			var want []string
			for line := range strings.Lines(text) {
				want = append(want, strings.TrimRight(line, "\r\n"))
			}
			if !slices.Equal(got[look.Name(path)], want) {
				t.Fatalf("%q: got %q, want %q", path, got[look.Name(path)], want)
			}
		}
		longest, plain := 0, true
		for path, text := range files {
			plain = plain && !strings.ContainsAny(path, " =\"\n\x1b")
			for line := range strings.Lines(text) {
				longest = max(longest, len(line))
			}
		}
		if f := n.run.ledger.Fraction(); f != 1 && longest < limit/12 && plain {
			// A line or two of a file in a prompt can be too little to tell; so can equal files whose names are no words.
			t.Fatalf("coverage %v, uncovered %v", f, n.run.ledger.Uncovered())
		}
	})
}

func TestChosenLinesAreChosenOnce(t *testing.T) {
	n := packer(map[string]string{"a.py": strings.Repeat("x\n", 20), "dir/b.py": "1\n2\n3", "odd:7": "1\n", "empty.py": ""}, 4000)
	for _, tt := range []struct{ paths, want string }{
		{"a.py:5-7 a.py:6-9 a.py:1", "a.py 5-7, a.py 8-9, a.py 1-1"},
		{"a.py:5-7 a.py", "a.py 5-7, a.py 1-4, a.py 8-20"},
		{"a.py a.py:5-7 *.py", "a.py 1-20, dir/b.py 1-3"},
		{"a.py:15-99 odd:7 dir", "a.py 15-20, odd:7 1-1, dir/b.py 1-3"},
		{"empty.py", ""},
	} {
		chosen, err := n.choose(strings.Fields(tt.paths))
		var got []string
		for _, l := range chosen {
			got = append(got, fmt.Sprintf("%s %d-%d", l.path, l.from, l.to))
		}
		if err != nil || strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.paths, got, err, tt.want)
		}
	}
}

func TestKnownFindingsAreListedInWholeLines(t *testing.T) {
	n := packer(map[string]string{"a.py": "x = 1\n"}, 2000)
	var known []finding.Finding
	for i := range 50 {
		known = append(known, finding.Finding{File: "a.py", Line: i, Title: fmt.Sprintf("finding number %d", i)})
	}
	prompts, err := n.prompts(t.Context(), packing{Paths: []string{"a.py"}, Task: "Look."}, known)
	if err != nil || len(prompts) != 1 || len(prompts[0]) > 2000 {
		t.Fatalf("%q, %v", prompts, err)
	}
	_, list, _ := strings.Cut(prompts[0], "do not report them again:\n")
	rows := strings.Split(strings.TrimSuffix(list, "\n"), "\n")
	if len(rows) < 3 {
		t.Fatalf("only %q is listed", list)
	}
	for i, row := range rows {
		if want := fmt.Sprintf("- a.py:%d finding number %d", i, i); row != want {
			t.Errorf("row %q, want %q", row, want)
		}
	}
}

package coverage

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// texts is a Source of a map.
type texts map[string]string

func (t texts) Paths() []string { return slices.Sorted(maps.Keys(t)) }

func (t texts) Text(path string) (string, bool) { s, ok := t[path]; return s, ok }

// program makes a text of n lines that no other name shares.
func program(name string, n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "\t%s_%d = compute(%d)\n", name, i, i*7)
	}
	return sb.String()
}

const licence = `# Copyright The Authors.
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
# http://www.apache.org/licenses/LICENSE-2.0
`

func number(text, format string) string {
	var sb strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&sb, format+"\n", i+1, line)
	}
	return sb.String()
}

func lines(text string, from, to int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[from-1:to], "")
}

func asJSON(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestDispatch(t *testing.T) {
	a := program("a", 40)
	b := program("b", 30)
	blanks := "\n\nfirst()\n\n\nsecond()\nthird()\n\n"
	src := texts{"src/a.py": a, "src/b.py": b, "one.py": "VERSION = '1.0'\n", "blanks.py": blanks, "init.py": "", "copy/b.py": b}
	for _, tc := range []struct {
		name, prompt string
		want         map[string][][2]int // beside empty files
		paths        []string
	}{
		{"nothing", "", nil, nil},
		{"one file", "Review this:\n" + a, map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"only part", lines(a, 10, 20), map[string][][2]int{"src/a.py": {{10, 20}}}, []string{"src/a.py"}},
		{"two lines are no run", lines(a, 10, 11), nil, nil},
		{"three lines are", lines(a, 10, 12), map[string][][2]int{"src/a.py": {{10, 12}}}, []string{"src/a.py"}},
		{"lines out of order", lines(a, 12, 12) + lines(a, 10, 10) + lines(a, 11, 11), nil, nil},
		{"every second line", lines(a, 1, 1) + lines(a, 3, 3) + lines(a, 5, 5) + lines(a, 7, 7), nil, nil},
		{"one-line file", "x\nVERSION = '1.0'\ny", map[string][][2]int{"one.py": {{1, 1}}}, []string{"one.py"}},
		{"blank lines count with neighbours", "first()\nsecond()\nthird()", map[string][][2]int{"blanks.py": {{1, 8}}}, []string{"blanks.py"}},
		{"identical files", b, map[string][][2]int{"src/b.py": {{1, 30}}, "copy/b.py": {{1, 30}}}, []string{"copy/b.py", "src/b.py"}},
		{"identical files, one named", "src/b.py\n" + b, map[string][][2]int{"src/b.py": {{1, 30}}, "copy/b.py": {{1, 30}}}, []string{"src/b.py"}},
		{"most lines first", lines(b, 1, 5) + a, map[string][][2]int{"src/a.py": {{1, 40}}, "src/b.py": {{1, 5}}, "copy/b.py": {{1, 5}}}, []string{"src/a.py", "copy/b.py", "src/b.py"}},
		{"indented and CRLF", strings.ReplaceAll(strings.ReplaceAll(a, "\t", "        "), "\n", "  \r\n"), map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"numbered 12: x", number(a, "%d: %s"), map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"numbered 12\\tx", number(a, "%d\t%s"), map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"numbered   12 | x", number(a, "%4d | %s"), map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"numbered L12 x", number(a, "L%03d %s"), map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"numbered blanks", number(blanks, "%d %s"), map[string][][2]int{"blanks.py": {{1, 8}}}, []string{"blanks.py"}},
		{"json", "Don't miss: " + asJSON(t, map[string]string{"src/a.py": a}), map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"python repr", "{'src/a.py': '" + strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(a) + "'}", map[string][][2]int{"src/a.py": {{1, 40}}}, []string{"src/a.py"}},
		{"cut within lines", a[6 : len(lines(a, 1, 20))+16], map[string][][2]int{"src/a.py": {{1, 21}}}, []string{"src/a.py"}},
		{"all paths", strings.Join(src.Paths(), "\n"), nil, nil},
		{"tree", "copy/\n  b.py (30 lines)\nsrc/\n  a.py (40 lines)\n  b.py (30 lines)\nblanks.py (8 lines)\none.py (1 line)\n", nil, nil},
		{"names in prose", "Look at src/a.py, src/b.py and one.py.", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := New(src)
			paths := l.Dispatch(tc.prompt)
			if diff := cmp.Diff(tc.paths, paths, cmp.Comparer(func(a, b []string) bool { return slices.Equal(a, b) })); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
			got := map[string][][2]int{}
			for _, f := range l.Files() {
				n := 0
				for _, r := range f.DispatchedRanges {
					n += r[1] - r[0] + 1
				}
				if n != f.Dispatched || f.Read != 0 {
					t.Errorf("%s: ranges %v, dispatched %d, read %d", f.Path, f.DispatchedRanges, f.Dispatched, f.Read)
				}
				if f.DispatchedRanges != nil {
					got[f.Path] = f.DispatchedRanges
				}
			}
			if tc.want == nil {
				tc.want = map[string][][2]int{}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("ranges (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBoilerplateCoversNothingElse(t *testing.T) {
	src := texts{"LICENSE_ONLY/__init__.py": licence}
	for i := range 50 {
		name := fmt.Sprintf("m%02d", i)
		src[name+".py"] = licence + program(name, 20) + "}\n}\n}\n"
	}
	l := New(src)
	if got := l.Dispatch("Review:\n" + src["m07.py"]); !slices.Equal(got, []string{"m07.py"}) {
		t.Errorf("paths %v, want only the pasted file", got)
	}
	if got, want := l.Totals().LinesDispatched, 28; got != want {
		t.Errorf("%d lines dispatched, want %d", got, want)
	}
	if got := l.Dispatch("Braces:\n}\n}\n}\n}\n"); len(got) > 0 {
		t.Errorf("braces are of %v", got)
	}
	// The header alone is the whole of one file and a part of fifty.
	if got := l.Dispatch(licence); !slices.Equal(got, []string{"LICENSE_ONLY/__init__.py"}) {
		t.Errorf("the header is of %v", got)
	}
}

func TestHeaderSharedByFew(t *testing.T) {
	src := texts{"a.py": licence + program("a", 20), "b.py": licence + program("b", 20), "init.py": licence}
	l := New(src)
	if got := l.Dispatch(src["a.py"]); !slices.Equal(got, []string{"a.py"}) {
		t.Errorf("a's text is of %v", got)
	}
	if got := l.Dispatch("### b.py\n" + licence); !slices.Equal(got, []string{"b.py"}) {
		t.Errorf("the header under b's name is of %v", got)
	}
	// Two files in one prompt, the first of which is the start of the second.
	if got := l.Dispatch("### init.py\n" + licence + "\n### a.py\n" + src["a.py"]); !slices.Equal(got, []string{"a.py", "init.py"}) {
		t.Errorf("both are of %v", got)
	}
}

func TestNearDuplicate(t *testing.T) {
	a := program("x", 60)
	b := strings.Replace(a, "x_30 = compute", "x_30 = recompute", 1)
	for _, tc := range []struct {
		name, prompt string
		want         []string
	}{
		{"the whole of one is that one", a, []string{"a.py"}},
		{"the shared half is both", lines(a, 1, 30), []string{"a.py", "b.py"}},
		{"unless one is named", "In b.py:\n" + lines(a, 1, 30), []string{"b.py"}},
		{"wherever that is", lines(a, 5, 30) + "One.\nTwo.\nThree.\nThat was b.py, of course.", []string{"b.py"}},
		{"both named", "Compare a.py with b.py:\n" + lines(a, 5, 30), []string{"a.py", "b.py"}},
		{"another name is no name", "See xb.py and b.pyc.\n" + lines(a, 5, 30), []string{"a.py", "b.py"}},
		{"or holds more of the prompt", lines(a, 1, 10) + "[REDACTED]\n" + lines(a, 12, 60), []string{"a.py"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := New(texts{"a.py": a, "b.py": b})
			if got := l.Dispatch(tc.prompt); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestFileInsideAnother(t *testing.T) {
	part := program("p", 10)
	src := texts{"part.py": part, "all.py": program("q", 5) + part + program("r", 5)}
	l := New(src)
	if got := l.Dispatch(src["all.py"]); !slices.Equal(got, []string{"all.py"}) {
		t.Errorf("got %v", got)
	}
	if got := l.Dispatch(part); !slices.Equal(got, []string{"part.py"}) {
		t.Errorf("got %v", got)
	}
	if f := l.Fraction(); f != 1 {
		t.Errorf("fraction %v", f)
	}
}

func TestNameBeforeTextCounts(t *testing.T) {
	part := program("p", 10)
	src := texts{"part.py": part, "all.py": part + program("r", 5)}
	for prompt, want := range map[string][]string{
		"Review:\n" + src["all.py"]:                                                                 {"all.py"},
		"### `part.py`\n\n```python\n" + src["all.py"]:                                              {"all.py", "part.py"},
		"File: part.py\na\nb\nc\nd\n" + src["all.py"]:                                               {"all.py"},
		"File: part.py, then something else\n" + src["all.py"]:                                      {"all.py", "part.py"},
		"{'part.py': '" + strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(src["all.py"]) + "'}": {"all.py", "part.py"},
	} {
		if got := New(src).Dispatch(prompt); !slices.Equal(got, want) {
			t.Errorf("%.30q...: got %v, want %v", prompt, got, want)
		}
	}
}

func TestTextOfManyIsOfNobody(t *testing.T) {
	for _, tc := range []struct {
		files  int
		prompt string
		want   int
	}{
		{maxTies, licence, maxTies},
		{maxTies + 1, licence, 0},
		{maxTies + 1, licence + "The above is m03.py's.", 1},
		{maxSharers, licence + "The above is m03.py's.", 1},
		{maxSharers + 1, licence + "The above is m03.py's.", 0},
		{maxSharers + 1, "### m03.py\n" + licence, 1},
		{maxTies + 1, "m00.py m01.py m02.py m03.py m04.py m05.py m06.py m07.py m08.py\nNow one.\nPlease.\nWith care.\nm03.py\n" + licence, 1},
	} {
		src := texts{}
		for i := range tc.files {
			name := fmt.Sprintf("m%02d", i)
			src[name+".py"] = licence + program(name, 5)
		}
		if got := New(src).Dispatch(tc.prompt); len(got) != tc.want || tc.want == 1 && got[0] != "m03.py" {
			t.Errorf("%d files, %.12q: got %v, want %d", tc.files, tc.prompt, got, tc.want)
		}
	}
}

func TestLongLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var sb strings.Builder
	for sb.Len() < 40_000 {
		fmt.Fprintf(&sb, "function f%d(a,b){return a+%d*b};", rng.IntN(1e6), rng.IntN(1e6))
	}
	line := sb.String()
	l := New(texts{"min.js": line + "\n"})
	steps := []struct {
		from, to int
		paths    int
		want     float64
	}{
		{30_001, 39_999, 1, 0}, // a quarter is less than half
		{100, 300, 0, 0},       // too short to split
		{10_007, 22_222, 1, 1}, // with the first, more than half
	}
	for _, s := range steps {
		if got := l.Dispatch("look: " + line[s.from:s.to] + " and say"); len(got) != s.paths || l.Fraction() != s.want {
			t.Errorf("[%d:%d] is of %v, fraction %v, want %v", s.from, s.to, got, l.Fraction(), s.want)
		}
	}
}

func TestTotals(t *testing.T) {
	src := texts{"a.py": program("a", 10), "b.py": program("b", 9), "blank.py": "\n \n", "empty.py": ""}
	l := New(src)
	l.Dispatch(lines(src["a.py"], 1, 5))
	l.Dispatch(lines(src["b.py"], 1, 4))
	l.Read(lines(src["b.py"], 3, 9))
	want := Totals{LinesTotal: 21, LinesDispatched: 5 + 4 + 2, LinesAnswered: 11, LinesJudged: 11, LinesRead: 7 + 2,
		FilesTotal: 4, FilesDispatched: 3, LinesSent: 5 + 4}
	if diff := cmp.Diff(want, l.Totals()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"b.py"}, l.Uncovered()); diff != "" {
		t.Error(diff)
	}
	if f := New(texts{}).Fraction(); f != 1 {
		t.Errorf("fraction of nothing is %v", f)
	}
}

func TestHeldGivesLinesAndRecordsNothing(t *testing.T) {
	src := texts{"a.py": "one = 1\ntwo = 2\nthree = 3\nfour = 4\nfive = 5\n", "b.py": "x = first()\ny = second()\nz = third()\n"}
	l := New(src)
	prompt := "Look:\ntwo = 2\nthree = 3\nfour = 4\n"
	held := l.Held(prompt)
	if len(held) != 1 || held[0].Path != "a.py" || held[0].DispatchedRanges[0] != [2]int{2, 4} {
		t.Errorf("held %+v", held)
	}
	if got := l.Totals(); got.LinesDispatched != 0 || got.LinesSent != 0 {
		t.Errorf("Held recorded something: %+v", got)
	}
	l.Dispatch(prompt)
	l.Dispatch(prompt)
	if got := l.Totals(); got.LinesDispatched != 3 || got.LinesSent != 6 {
		t.Errorf("after two dispatches of the same three lines: %+v", got)
	}
}

// What a reader could not judge was answered all the same, and counts for the fraction when another prompt has it judged.
func TestJudgedLines(t *testing.T) {
	l := New(texts{"a.py": "a = 1\nb = 2\nc = 3\n", "b.py": "d = 1\ne = 2\nf = 3\n", "c.rs": "x\ny\nz\n",
		"blank.rs": "\n"})
	l.SetScope(Scope{Judges: func(path string) bool { return strings.HasSuffix(path, ".py") }})
	all := l.Match("a = 1\nb = 2\nc = 3\n\nd = 1\ne = 2\nf = 3\n\nx\ny\nz\n")
	l.Sent(all)
	l.Answered(all, "b.py", "nowhere.py")
	judged := func() (n []int) {
		for _, f := range l.Files() {
			n = append(n, f.Judged)
			if lines := f.Answered - f.Judged; lines > 0 && !slices.Equal(f.Unjudged(), [][2]int{{1, lines}}) {
				t.Errorf("%+v", f)
			}
		}
		return n
	}
	if got, c := judged(), l.Totals(); !slices.Equal(got, []int{3, 0, 0, 0}) || c.LinesAnswered != 10 || c.LinesJudged != 3 ||
		l.Fraction() != 0.3 {
		t.Errorf("%v, %+v", got, c)
	}
	l.Answered(l.Match("d = 1\ne = 2\nf = 3\n"))
	if got := judged(); !slices.Equal(got, []int{3, 3, 0, 0}) || l.Fraction() != 0.6 {
		t.Errorf("%v", got)
	}
}

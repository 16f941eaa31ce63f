package localisation

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

func known(paths ...string) func(string) bool {
	return func(p string) bool { return slices.Contains(paths, p) }
}

func parsed(text string, known func(string) bool) Answer {
	a, _ := ParseAnswer(text, known)
	return a
}

func TestParseAnswer(t *testing.T) {
	all := known("shop/cart.py", "shop/price.py", "shop/x y.py", "setup.py")
	for name, c := range map[string]struct {
		answer string
		want   []string
	}{
		"a list":              {"The reason is clear.\n```json\n[\"shop/price.py\", \"shop/cart.py\"]\n```\n", []string{"shop/price.py", "shop/cart.py"}},
		"the last list":       {`["shop/cart.py"] no, rather ["shop/price.py"]`, []string{"shop/price.py"}},
		"text behind":         {`["shop/price.py"] and items[0] is None, see [1] and [x]`, []string{"shop/price.py"}},
		"objects":             {`[{"file": "shop/price.py", "why": "x"}, {"path": "shop/cart.py"}]`, []string{"shop/price.py", "shop/cart.py"}},
		"a list of findings":  {`{"files": ["shop/cart.py"], "notes": ["a", 1]}`, []string{"shop/cart.py"}},
		"unknown paths rank":  {`["shop/tax.py", "shop/price.py"]`, []string{"shop/tax.py", "shop/price.py"}},
		"twice":               {`["shop/price.py", "./shop/price.py", "shop/cart.py:12", "shop/cart.py:3-9"]`, []string{"shop/price.py", "shop/cart.py"}},
		"blanks in a path":    {`["shop/x y.py"]`, []string{"shop/x y.py"}},
		"lines":               {"1. `shop/price.py`: because shop/cart.py calls it\n2. shop/cart.py:30\n- **setup.py**\n", []string{"shop/price.py", "shop/cart.py", "setup.py"}},
		"a guess ranks":       {"1. shop/tax.py\n2. shop/price.py\n", []string{"shop/tax.py", "shop/price.py"}},
		"known before guess":  {"in lib/other.py or shop/price.py\n", []string{"shop/price.py"}},
		"an address":          {"see https://example.com/a.py\nshop/price.py\n", []string{"shop/price.py"}},
		"nothing":             {"I do not know.", []string{}},
		"empty":               {"", []string{}},
		"an empty list":       {"[]", []string{}},
		"broken list":         {`["shop/price.py", "shop/ca`, []string{"shop/price.py"}},
		"a patch is no list":  {"```diff\n--- a/setup.py\n+++ b/setup.py\n@@ -1 +1 @@\n-x = [\"a/b.py\"]\n+y\n```\nshop/price.py\n", []string{"shop/price.py"}},
		"list behind a patch": {"```diff\n--- a/setup.py\n```json\n[\"shop/cart.py\"]", []string{"shop/cart.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, parsed(c.answer, all).Files); d != "" {
				t.Error(d)
			}
		})
	}
	var many []string
	for i := range 300 {
		many = append(many, `"f`+strings.Repeat("x", i)+`.py"`)
	}
	if n := len(parsed("["+strings.Join(many, ",")+"]", all).Files); n != maxRanked {
		t.Errorf("%d places, want %d", n, maxRanked)
	}
}

// TestParseAnswerOfFunctions has the forms in which functions and lines are ranked.
func TestParseAnswerOfFunctions(t *testing.T) {
	all := known("a.py", "b.py")
	full := Answer{[]string{"b.py", "a.py"}, []string{"a.py::C.m", "b.py"}, []Range{{"a.py", 3, 9}, {"b.py", 7, 7}}}
	for name, c := range map[string]struct {
		answer string
		want   Answer
	}{
		"the documented form": {`See: {"files": ["b.py", "a.py"], "functions": [{"file": "a.py", "name": "C.m", "line": 3, "end_line": 9},
			{"file": "b.py", "line": 7}]} as said [1].`, full},
		"functions first": {`{"functions": [{"path": "./a.py", "function": "C::m()", "line": 3, "end_line": 9},
			{"file": "b.py", "line": 7, "name": null}], "files": ["b.py", "a.py"]}`, full},
		"strings":       {`{"files": ["b.py"], "functions": ["a.py::C.m", "b.py", "a.py::C.m"]}`, Answer{full.Files, full.Functions, []Range{}}},
		"a bare list":   {`["b.py", {"file": "a.py", "name": "C.m", "line": 3, "end_line": 9}]`, Answer{full.Files, full.Functions[:1], full.Ranges[:1]}},
		"no files":      {`{"functions": ["a.py::f"]}`, Answer{[]string{"a.py"}, []string{"a.py::f"}, []Range{}}},
		"the last word": {`{"files": ["a.py"], "functions": ["a.py::f"]} or rather ["b.py"]`, Answer{[]string{"b.py"}, []string{}, []Range{}}},
		"the last form": {`["b.py"] or rather {"files": ["a.py"]}`, Answer{[]string{"a.py"}, []string{}, []Range{}}},
		"odd lines": {`[{"file": "a.py", "name": 7, "line": "x"}, {"file": "a.py", "line": -1}, {"file": "a.py", "line": 1e99},
			{"file": "a.py", "line": 5, "end_line": 1}]`,
			Answer{[]string{"a.py"}, []string{"a.py"}, []Range{{"a.py", 5, 5}}}},
		"a whole file": {`[{"file": "a.py", "line": 1, "end_line": 99999}]`, Answer{[]string{"a.py"}, []string{"a.py"}, []Range{{"a.py", 1, 100}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, parsed(c.answer, all)); d != "" {
				t.Error(d)
			}
		})
	}
}

// What an answer says of its places is kept with the first of them, where it is what a ranking can have said.
func TestWhatIsSaidOfPlaces(t *testing.T) {
	all := known("a.py", "b.py")
	one := func(v float64) *float64 { return &v }
	words, graph := runfile.Signal{Name: "words", Value: 2.4}, runfile.Signal{Name: "graph", Value: -0.5}
	_, got := ParseAnswer(`{
		"files": [{"path": "a.py", "score": 1.9, "why": [{"name": "words", "value": 2.4}, {"name": "graph", "value": -0.5}]}, "b.py"],
		"functions": [{"file": "a.py", "name": "C::m()", "line": 3, "end_line": 9, "score": 2.4, "why": [{"name": "words", "value": 2.4}]},
			"a.py::C.m"]}`, all)
	want := &runfile.Ranked{
		Files:     []runfile.RankedPlace{{Path: "a.py", Score: one(1.9), Why: []runfile.Signal{words, graph}}, {Path: "b.py"}},
		Functions: []runfile.RankedPlace{{Path: "a.py", Name: "C.m", Line: 3, EndLine: 9, Score: one(2.4), Why: []runfile.Signal{words}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, odd := range []string{
		`"score": "1.9", "why": "it says so"`, `"score": 1e7, "why": [{"name": "x", "value": "1"}]`, `"score": null, "why": {"words": 1}`,
		`"score": -1e300, "why": [{"name": "", "value": 1}, {"name": "x", "value": -1e7}]`,
	} {
		_, got := ParseAnswer(`[{"file": "a.py", `+odd+`}]`, all)
		if len(got.Files) != 1 || got.Files[0].Score != nil || got.Files[0].Why != nil {
			t.Errorf("%s: %+v", odd, got.Files)
		}
	}
	signal := `{"name": "` + strings.Repeat("é", 30) + `", "value": 1}`
	many := `[{"file": "a.py", "why": [` + signal + strings.Repeat(","+signal, 30) + `]}`
	for i := range 30 {
		many += `, "f` + strings.Repeat("x", i) + `.py"`
	}
	_, got = ParseAnswer(many+"]", all)
	why := got.Files[0].Why
	if len(got.Files) != runfile.MostRanked || len(why) != runfile.MostSignals || why[0].Name != strings.Repeat("é", 20) {
		t.Errorf("%d places, signals %+v", len(got.Files), why)
	}
}

// TestParseAnswerOfTraps gives it what takes hours when a parser begins anew at every bracket.
func TestParseAnswerOfTraps(t *testing.T) {
	for name, text := range map[string]string{
		"open objects":  strings.Repeat(`[{"a":`, 1<<17),
		"open brackets": strings.Repeat(`[`, 1<<20),
		"open fences":   strings.Repeat("```diff\n", 1<<17),
		"one word":      strings.Repeat("a/", 1<<19),
		"open keys":     strings.Repeat(`{"files":[`, 1<<16),
	} {
		if got := parsed(text, known()).Files; len(got) > 0 {
			t.Errorf("%s: %.200q", name, got)
		}
		if p := Patch(text); p != "" {
			t.Errorf("%s: a patch: %.200q", name, p)
		}
	}
}

func TestPatch(t *testing.T) {
	patch := "--- a/setup.py\n+++ b/setup.py\n@@ -1,2 +1,2 @@\n ```\n-x\n+y\n"
	for name, c := range map[string]struct{ answer, want string }{
		"fenced":       {"So:\n```diff\n" + patch + "```\n[\"setup.py\"]", patch},
		"the last one": {"```patch\n" + strings.Replace(patch, "+y", "+z", 1) + "```\n```diff\n" + patch + "```", patch},
		"not a patch":  {"```diff\n" + patch + "```\n```diff\n-x\n+y\n```", patch},
		"broken":       {"```diff\n" + strings.TrimSuffix(patch, "+y\n") + "```\n", ""},
		"never closed": {"```diff\n" + patch, patch},
		"no fence":     {patch, ""},
		"too long":     {"```diff\n" + patch + "```\n" + strings.Repeat(" ", maxAnswer), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Patch(c.answer)); d != "" {
				t.Error(d)
			}
		})
	}
}

// FuzzParseAnswer reads any text as an answer: a ranking is short, has nothing twice, and is text.
func FuzzParseAnswer(f *testing.F) {
	for _, s := range []string{`["a/b.py"]`, "1. a/b.py:3\n2. `c.py`",
		`[{"file": "a.py", "name": "f", "score": 1e7, "why": [{"name": "words", "value": 1}, {"name": "", "value": -1e9}]}]`,
		"```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n```\n[{\"file\":\"x\"}]", "[[[[", "[\"\\ud800\"]", "\xff/\xff.py"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, kept := ParseAnswer(text, known("c.py"))
		got := a.Files
		if len(got) > maxRanked {
			t.Fatalf("%d places", len(got))
		}
		if len(kept.Files) != min(len(got), runfile.MostRanked) || len(kept.Functions) != min(len(a.Functions), runfile.MostRanked) {
			t.Fatalf("%d files of %d, %d functions of %d are kept", len(kept.Files), len(got), len(kept.Functions), len(a.Functions))
		}
		for i, p := range append(kept.Files, kept.Functions...) {
			if i < len(kept.Files) && p.Path != got[i] || i >= len(kept.Files) && inFile(p.Path, p.Name) != a.Functions[i-len(kept.Files)] {
				t.Fatalf("place %d is %+v in %+v", i, p, a)
			}
			for _, s := range p.Why {
				if s.Name == "" || len(s.Name) > maxSignal || !utf8.ValidString(s.Name) || !savable(s.Value) || len(p.Why) > runfile.MostSignals {
					t.Fatalf("place %d has %+v", i, p.Why)
				}
			}
		}
		for i, p := range got {
			if p == "" || slices.Contains(got[:i], p) || !utf8.ValidString(p) {
				t.Fatalf("place %d: %q in %q", i, p, got)
			}
		}
		if p := Patch(text); p != "" {
			if _, err := ParsePatch(p); err != nil {
				t.Fatalf("patch %q: %v", p, err)
			}
		}
	})
}

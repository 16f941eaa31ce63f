package locate

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// shop is a codebase in which every question below has one right answer.
var shop = map[string]string{
	"shop/__init__.py": "from .cart import Cart\n",
	"shop/cart.py": `"""A customer's basket."""
from .tax import rate_of


class Cart:
    def __init__(self):
        self.rows = []

    def total_price(self):
        """Sum of all rows."""
        return sum(r.price * (1 + rate_of(r)) for r in self.rows)

    def clear(self):
        self.rows = []
`,
	"shop/tax.py": `def rate_of(row):
    if row.country not in RATES:
        raise LookupError("no rate is known for country %s" % row.country)
    return RATES[row.country]


RATES = {"de": 0.19}
`,
	"shop/mail.py": `def send_mail(to, text):
    connect().send(to, text)


def connect():
    return Server("localhost")
`,
	"tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total_price():\n    assert Cart().total_price() == 0\n",
}

func index(t *testing.T, code *codebase.Codebase) *Index {
	t.Helper()
	x, err := New(t.Context(), code, Options{Graph: graph.Lazily(code, graph.Options{Parser: runtest.OpenParser})})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestLocate(t *testing.T) {
	x := index(t, codebase.FromMap(shop))
	for text, want := range map[string][2]string{
		"Total price of a cart is wrong":                                             {"shop/cart.py", "Cart.total_price"},
		"`send_mail` never returns":                                                  {"shop/mail.py", "send_mail"},
		"Crash\n\nLookupError: no rate is known for country fr":                      {"shop/tax.py", "rate_of"},
		"It fails\n```\n  File \"/usr/lib/shop/mail.py\", line 6, in connect\n```\n": {"shop/mail.py", "connect"},
		"shop.tax is slow":                                                           {"shop/tax.py", ""}, // a file is meant
	} {
		r, err := x.Locate(t.Context(), text, 10)
		if err != nil || len(r.Files) != 4 || len(r.Functions) == 0 {
			t.Fatalf("%q: %v, %d files, %d functions", text, err, len(r.Files), len(r.Functions))
		}
		if r.Files[0].Path != want[0] || r.Functions[0].Name != want[1] {
			t.Errorf("%q: %s, %s; want %s, %s", text, r.Files[0].Path, r.Functions[0].Name, want[0], want[1])
		}
		for _, f := range r.Files {
			adds(t, f.Path, f.Score, f.Why)
		}
		for _, f := range r.Functions {
			adds(t, f.Path, f.Score, f.Why)
		}
	}
}

// adds checks that a score is what its signals add up to, and that no test is ranked.
func adds(t *testing.T, path string, score float64, why []Signal) {
	t.Helper()
	sum := 0.0
	for _, s := range why {
		sum += s.Value
	}
	if math.Abs(sum-score) > 1e-9 || strings.HasPrefix(path, "tests/") {
		t.Errorf("%s has the score %v, and its signals add up to %v", path, score, sum)
	}
}

// TestEvidence looks at single signals, which others could stand in for.
func TestEvidence(t *testing.T) {
	x := index(t, codebase.FromMap(shop))
	for text, want := range map[string]struct {
		signal, place int
		file, name    string
	}{
		"Crash\n\nLookupError: no rate is known for country fr":                       {fPhrase, pPhrase, "shop/tax.py", "rate_of"},
		"It fails\n```\n  File \"/usr/lib/shop/mail.py\", line 6, in connect\n```\n":  {fFrame, pFrame, "shop/mail.py", "connect"},
		"It fails\n```\n  File \"/usr/lib/shop/tax.py\", line 7, in <module>\n```\n":  {fFrame, pFrame, "shop/tax.py", ""},
		"Should it not be\n```\n-    return RATES[row.country]\n+    return 0\n```\n": {fQuoted, pQuoted, "shop/tax.py", "rate_of"},
		"> RATES = {\"de\": 0.19}\n\nis old":                                          {fQuoted, pQuoted, "shop/tax.py", ""},
		"RATES lacks France":                                                          {fDefines, pNamed, "shop/tax.py", ""},
	} {
		q := ask(text)
		e := x.gather(&q)
		for i, f := range x.files {
			if e.files[i][want.signal] > 0 != (f.path == want.file) {
				t.Errorf("%q: %s has %s %v", text, f.path, fileNames[want.signal], e.files[i][want.signal])
			}
		}
		for i, p := range x.places {
			if e.places[i][want.place] > 0 != (p.File == want.file && p.Name == want.name) {
				t.Errorf("%q: %s::%s has %s %v", text, p.File, p.Name, placeNames[want.place], e.places[i][want.place])
			}
		}
	}
}

// TestQuotedEverywhere has a line that too many places hold say nothing.
func TestQuotedEverywhere(t *testing.T) {
	for copies, want := range map[int]bool{maxHolds: true, maxHolds + 1: false} {
		files := map[string]string{}
		for i := range copies {
			files[fmt.Sprintf("shop/a%d.py", i)] = "def f():\n    self.rows = []  # none\n"
		}
		x := index(t, codebase.FromMap(files))
		q := ask("it says\n\n    self.rows = []  # none\n")
		_, places := x.quotes(&q)
		for i, v := range places {
			if v > 0 != (want && x.places[i].Name == "f") {
				t.Errorf("of %d copies, %s::%s has %v", copies, x.places[i].File, x.places[i].Name, v)
			}
		}
	}
}

// TestHeldOut has weights of their own for a repository that others were fitted on.
func TestHeldOut(t *testing.T) {
	if weightsWithout("sympy/sympy") == weightsWithout("") {
		t.Error("sympy's records had a part in the weights that rank them")
	}
	if weightsWithout("acme/shop") != weightsWithout("") {
		t.Error("a repository that nothing was fitted on has other weights than all")
	}
}

// TestLocateIsTheSame asks twice, and of an index that was made anew.
func TestLocateIsTheSame(t *testing.T) {
	code := codebase.FromMap(shop)
	one, err := index(t, code).Locate(t.Context(), "total price of the Cart, see shop/tax.py", 10)
	if err != nil {
		t.Fatal(err)
	}
	two, err := index(t, code).Locate(t.Context(), "total price of the Cart, see shop/tax.py", 10)
	if d := cmp.Diff(one, two); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestSearch(t *testing.T) {
	x := index(t, codebase.FromMap(shop))
	if got := x.Search("rows that are summed", 1); len(got) != 1 || got[0].Name != "Cart.total_price" {
		t.Errorf("%+v", got)
	}
	for _, none := range []string{"", "the of", "zebra"} {
		if got := x.Search(none, 5); len(got) != 0 {
			t.Errorf("%q: %+v", none, got)
		}
	}
}

// TestPast has a commit's message name what no file says.
func TestPast(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here: there is no history to read")
	}
	dir := runtest.Tree(t, shop)
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"},
			args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "start")
	runtest.WriteFile(t, filepath.Join(dir, "shop/mail.py"), shop["shop/mail.py"]+"\n\ndef close():\n    pass\n")
	git("commit", "-q", "-a", "-m", "zebra crossing: hang up")
	code, err := codebase.Load(t.Context(), dir, codebase.Options{Commit: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := index(t, code).Locate(t.Context(), "The zebra crossing is broken", 1)
	if err != nil || r.Files[0].Path != "shop/mail.py" || r.Notes != nil {
		t.Errorf("%v, %+v", err, r)
	}
	if !slices.ContainsFunc(r.Files[0].Why, func(s Signal) bool { return s.Name == "commits" && s.Value > 0 }) {
		t.Errorf("commits are no reason: %+v", r.Files[0].Why)
	}

	tree := git("rev-parse", "HEAD~^{tree}") // as a clone without older trees lacks it
	if err := os.Remove(filepath.Join(dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	r, err = index(t, code).Locate(t.Context(), "total_price is wrong", 1)
	if err != nil || r.Files[0].Path != "shop/cart.py" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "as far as it was read") {
		t.Errorf("a history that is not whole: %v, %+v", err, r)
	}
}

// TestWalk compares with what can be computed by hand: two nodes that link to each other, all seeds at the first.
func TestWalk(t *testing.T) {
	got := walk([][]link{{{1, 1}}, {{0, 1}}, nil}, []float64{2, 0, 0})
	first := 1 / (2 - restart) // p = r + (1-r)(1-p)
	if math.Abs(got[0]-first) > 1e-2 || math.Abs(got[0]+got[1]-1) > 1e-9 || got[2] != 0 {
		t.Errorf("%v, want %.3f at the first", got, first)
	}
}

// TestFit finds the signal that tells right from wrong, and leaves out the one that it is told to.
func TestFit(t *testing.T) {
	var examples []Example
	for i := range 20 {
		right, wrong := make([]float64, fileSignals), make([]float64, fileSignals)
		right[fTitle], wrong[fSize], right[fCode], wrong[fCode] = 1, 1, float64(i%2), float64(i%2)
		place := make([]float64, placeSignals)
		examples = append(examples, Example{Repo: "a/b", GoldFiles: []string{"r"}, GoldFunctions: []string{"r::f"},
			Files:  []Choice{{Name: "w", X: wrong}, {Name: "r", X: right, Right: true}},
			Places: []Choice{{Name: "w::f", X: place}, {Name: "r::f", File: 1, X: slices.Clone(place), Right: true}}})
	}
	e := examples[0]
	e.Repo = "c/d" // another repository: the fit of all counts
	files, functions := e.Ranked(Fit(examples, ""))
	if files[0] != "r" || functions[0] != "r::f" {
		t.Errorf("%v, %v", files, functions)
	}
	e.Repo = "a/b" // all examples are of it: nothing was learned, and the order stays
	if files, _ := e.Ranked(Fit(examples, "")); files[0] != "w" {
		t.Errorf("weights without a repository know it: %v", files)
	}
	e.Repo = "c/d"
	for _, c := range e.Files {
		c.X[fSize] = 0
	}
	if files, _ := e.Ranked(Fit(examples, "title")); files[0] != "w" {
		t.Errorf("the signal that was left out counts: %v", files)
	}
	if files, gold := examples[0].RankedBy("title"); !slices.Equal(files, []string{"r"}) || gold[0] != "r" {
		t.Errorf("by title: %v, gold %v", files, gold)
	}
	if places, gold := examples[0].RankedBy("function: name"); places != nil || gold[0] != "r::f" {
		t.Errorf("no place is named, and these are ranked: %v, gold %v", places, gold)
	}
}

// TestHostileTexts neither hang nor take all memory.
func TestHostileTexts(t *testing.T) {
	x := index(t, codebase.FromMap(map[string]string{"a.py": "def f():\n    return '" + strings.Repeat("a_b", 100_000) + "'\n",
		"b.py": strings.Repeat("'", 300_000), "c.js": strings.Repeat("/*", 200_000), "d.py": "def f():\n" + strings.Repeat("    x = 1\n", 50_000)}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for name, text := range map[string]string{
		"ticks": strings.Repeat("`", 1<<20), "fences": strings.Repeat("```\n", 1<<18), "dots": strings.Repeat("a.", 1<<19),
		"frames": strings.Repeat("File \"a.py\", line 1, in f\n", 1<<15), "comments": strings.Repeat("<!--", 1<<18),
		"quotes": strings.Repeat("\"abcdefghi\" ", 1<<16), "paths": strings.Repeat("a/", 1<<19), "bytes": strings.Repeat("\xff", 1<<20),
		"words": strings.Repeat("alpha beta-", 1<<17),
	} {
		start := time.Now()
		if _, err := x.Locate(ctx, text, 5); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

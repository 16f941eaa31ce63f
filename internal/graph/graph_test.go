package graph

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func build(t *testing.T, files map[string]string) *Graph {
	t.Helper()
	g, err := Build(t.Context(), codebase.FromMap(files), Options{Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// everything is the files of all fixtures, each in a directory of its own.
func everything(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 8 {
		t.Fatalf("%d fixtures, %v", len(names), err)
	}
	all := map[string]string{}
	for _, name := range names {
		name = strings.TrimSuffix(filepath.Base(name), ".txtar")
		for path, text := range fixture(t, name) {
			all[name+"/"+path] = text
		}
	}
	return all
}

func where(edges []Edge) string {
	var list []string
	for _, e := range edges {
		list = append(list, fmt.Sprintf("%s:%d", e.File, e.Line))
	}
	return strings.Join(list, " ")
}

func named(list []*Symbol) string {
	var all []string
	for _, s := range list {
		all = append(all, s.File+":"+s.Qualified)
	}
	return strings.Join(all, " ")
}

func TestDefinition(t *testing.T) {
	g := build(t, fixture(t, "python"))
	for name, want := range map[string]string{
		"sign":                         "app/signing.py:Signer.sign",
		"Signer.sign":                  "app/signing.py:Signer.sign",
		"Signer#sign()":                "app/signing.py:Signer.sign",
		"signing.Signer.sign":          "app/signing.py:Signer.sign",
		"app/signing.py:sign":          "app/signing.py:Signer.sign",
		"signer":                       "app/signing.py:signer tests/test_service.py:signer",
		"tests/test_service.py:signer": "tests/test_service.py:signer",
		"Base.sign":                    "",
		"nothing":                      "",
		"":                             "",
		"app/none.py:sign":             "",
	} {
		if got := named(g.Definition(name)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	c := build(t, fixture(t, "c"))
	if got := named(c.Definition("store_open")); got != "src/store.c:store_open include/store.h:store_open" {
		t.Errorf("a definition comes before a declaration: %s", got)
	}
}

func TestCallersAndCallees(t *testing.T) {
	g := build(t, fixture(t, "python"))
	one := func(name string) *Symbol {
		list := g.Definition(name)
		if len(list) == 0 {
			t.Fatalf("no %s", name)
		}
		return list[0]
	}
	if got := where(g.Callers(one("make"))); got != "app/service.py:11 app/service.py:18 app/signing.py:38" {
		t.Errorf("callers of make: %s", got)
	}
	callers := g.Callers(one("dumps"))
	if len(callers) != 2 || callers[0].From.Qualified != "Service.run" || callers[0].Role != Calls {
		t.Errorf("callers of dumps: %+v", callers)
	}
	var callees []*Symbol
	for _, e := range g.Callees(one("Service.build")) {
		callees = append(callees, e.To)
	}
	if got := named(callees); got != "app/service.py:Service app/service.py:Service.helper" {
		t.Errorf("callees of build: %s", got)
	}
	if got := where(g.References(one("signing.Base"))); got != "app/signing.py:18" || len(g.Callers(one("signing.Base"))) > 0 {
		t.Errorf("references of Base: %s", got)
	}
}

func TestAt(t *testing.T) {
	g := build(t, fixture(t, "python"))
	for line, want := range map[int]string{1: "", 5: "", 12: "Base.check", 13: "Base", 26: "Signer.open", 38: "", 1000: ""} {
		got := ""
		if s := g.At("app/signing.py", line); s != nil {
			got = s.Qualified
		}
		if got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
	if g.At("none.py", 1) != nil || g.Uses("none.py", 1, 2) != nil || g.Imports("none.py") != nil || g.Importers("none.py") != nil ||
		g.Symbols("none.py") != nil || g.Related("none.py", 3) != nil || g.IsTest("none.py") {
		t.Error("a file that is not there has something")
	}
}

func TestImporters(t *testing.T) {
	g := build(t, fixture(t, "python"))
	if got := strings.Join(g.Importers("app/signing.py"), " "); got != "app/__init__.py app/service.py" {
		t.Errorf("importers: %s", got)
	}
	if !g.IsTest("tests/test_service.py") || g.IsTest("app/service.py") {
		t.Error("tests are mistaken")
	}
}

func TestRelated(t *testing.T) {
	g := build(t, fixture(t, "python"))
	list := g.Related("app/service.py", 3)
	if len(list) != 3 || list[0].File != "tests/test_service.py" || !strings.Contains(list[0].Why, "its tests, by name") ||
		list[1].File != "app/signing.py" || !strings.Contains(list[1].Why, "defines what it uses: ") {
		t.Errorf("related: %+v", list)
	}
}

// Each symbol's lines hold its name, lie in its file and in what it stands in.
func TestLinesHoldNames(t *testing.T) {
	files := everything(t)
	g := build(t, files)
	if len(g.All()) < 100 {
		t.Fatalf("%d symbols", len(g.All()))
	}
	for _, s := range g.All() {
		lines := strings.Split(files[s.File], "\n")
		if s.Line < 1 || s.EndLine < s.Line || s.EndLine > len(lines) {
			t.Fatalf("%+v", s)
		}
		if text := strings.Join(lines[s.Line-1:s.EndLine], "\n"); !strings.Contains(text, s.Name) {
			t.Errorf("%s:%d-%d does not hold %s", s.File, s.Line, s.EndLine, s.Name)
		}
		if s.in >= 0 {
			if o := g.symbols[s.in]; o.File != s.File || o.Line > s.Line || o.EndLine < s.EndLine {
				t.Errorf("%s stands outside of %s", s.Qualified, o.Qualified)
			}
		}
	}
}

func TestSameCodebaseSameGraph(t *testing.T) {
	files := everything(t)
	first := build(t, files)
	for _, n := range []int{1, 4} {
		before := runtime.GOMAXPROCS(n)
		again := build(t, maps.Clone(files))
		runtime.GOMAXPROCS(before)
		if !reflect.DeepEqual(first.edges, again.edges) || !reflect.DeepEqual(first.symbols, again.symbols) ||
			!reflect.DeepEqual(first.imports, again.imports) || !reflect.DeepEqual(first.Outliers(), again.Outliers()) {
			t.Errorf("another graph with %d at once", n)
		}
	}
}

func TestWhatIsNotParsedIsListed(t *testing.T) {
	deep := "x = " + strings.Repeat("f(", 3000) + strings.Repeat(")", 3000) + "\n"
	code := codebase.FromMap(map[string]string{"big.py": strings.Repeat("x = 1\n", 100), "b.txt": "x",
		"ok.py": "def f(): pass\n", "deep.py": deep, "broken.py": "def g(:\n  (((\nclass\n", "empty.py": ""})
	g, err := Build(t.Context(), code, Options{Parser: runtest.OpenParser, MaxBytes: 7000})
	if err != nil {
		t.Fatal(err)
	}
	small, err := Build(t.Context(), code, Options{Parser: runtest.OpenParser, MaxBytes: 500})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Unparsed) != 1 || g.Unparsed[0].File != "deep.py" || len(small.Unparsed) != 2 {
		t.Errorf("unparsed: %+v, %+v", g.Unparsed, small.Unparsed)
	}
	if len(g.Symbols("ok.py")) != 1 || g.Symbols("big.py") == nil {
		t.Error("what can be parsed is not")
	}
}

func TestErrors(t *testing.T) {
	code := codebase.FromMap(map[string]string{"a.py": "x = 1\n"})
	broken := errors.New("no grammars")
	if _, err := Build(t.Context(), code, Options{Parser: func() (*syntax.Parser, error) { return nil, broken }}); !errors.Is(err, broken) {
		t.Errorf("error: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, code, Options{Parser: runtest.OpenParser}); !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
	if g, err := Build(t.Context(), codebase.FromMap(nil), Options{Parser: nil}); err != nil || len(g.All()) > 0 || g.Outliers() != nil {
		t.Errorf("an empty codebase: %v", err)
	}
}

// codecs are files that are alike but for their names, and one comparison.
func codecs() map[string]string {
	files := map[string]string{}
	for i, name := range []string{"order", "customer", "parcel", "depot", "route", "invoice"} {
		compare := "<"
		if i == 3 {
			compare = "<="
		}
		title := strings.ToUpper(name[:1]) + name[1:]
		files["codec/"+name+".go"] = fmt.Sprintf("package codec\n\n// Decode%[2]s reads one.\nfunc Decode%[2]s(text []byte) (*%[2]s, error) {\n"+
			"\tvar %[1]s %[2]s\n\tif len(text) %[3]s Header {\n\t\treturn nil, ErrShort\n\t}\n"+
			"\tfor i := 0; i < len(text); i++ {\n"+
			"\t\t%[1]s.Parts = append(%[1]s.Parts, text[i])\n\t}\n\treturn &%[1]s, nil\n}\n\ntype %[2]s struct{ Parts []byte }\n",
			name, title, compare)
	}
	return files
}

// A docstring is all that stands in the quotes: what is before them is not, though its letters may be.
func TestDocstrings(t *testing.T) {
	g := build(t, map[string]string{"a.py": "def f():\n    rb\"\"\"Reset it, or \"both\".\"\"\"\n"})
	if doc := g.Symbols("a.py")[0].Doc; doc != `Reset it, or "both".` {
		t.Errorf("doc: %q", doc)
	}
}

func TestOutliers(t *testing.T) {
	g := build(t, codecs())
	list := g.Outliers()
	if len(list) != 1 || list[0].Symbol.Name != "DecodeDepot" || list[0].Of != 6 || len(list[0].Siblings) != 5 {
		t.Fatalf("outliers: %+v", list)
	}
	want := []Departure{{File: "codec/depot.go", Line: 6, EndLine: 6, Has: "<=", Usual: "<", Agree: 5, Of: 6, score: list[0].Score}}
	if !slices.Equal(list[0].Departures, want) {
		t.Errorf("departures: %+v", list[0].Departures)
	}
	if &list[0] != &g.Outliers()[0] {
		t.Error("they are looked for again")
	}
	files := codecs()
	for name, text := range files { // tests may differ as they like
		delete(files, name)
		files["tests/"+name] = text
	}
	if list := build(t, files).Outliers(); len(list) > 0 {
		t.Errorf("outliers in tests: %+v", list)
	}
}

func TestVariants(t *testing.T) {
	files := codecs()
	files["other.go"] = "package a\n\nfunc main() {\n\tprintln(1)\n}\n"
	g := build(t, files)
	some := []string{"codec/order.go", "codec/depot.go", "codec/route.go", "codec/route.go", "none"}
	for _, paths := range [][]string{nil, slices.Sorted(maps.Keys(files)), some} {
		list := g.Variants(paths)
		if len(list) != 1 || len(list[0].Files) < 3 || len(list[0].Exceptions) != 1 ||
			list[0].Exceptions[0].Places[0].String() != "codec/depot.go:6" {
			t.Errorf("variants of %d: %+v", len(paths), list)
		}
	}
	if list := g.Variants([]string{"codec/order.go", "other.go"}); len(list) > 0 {
		t.Errorf("variants: %+v", list)
	}
}

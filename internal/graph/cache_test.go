package graph

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// cachedBuild builds with a cache and counts the files that came out of it.
func cachedBuild(t *testing.T, code *codebase.Codebase, dir string) (*Graph, int) {
	t.Helper()
	var hits atomic.Int32
	g, err := Build(t.Context(), code, Options{Parser: runtest.OpenParser, CacheDir: dir, Observe: func(p Progress) {
		if p.Cached {
			hits.Add(1)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return g, int(hits.Load())
}

// entries are the files of a cache.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "??", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestCache(t *testing.T) {
	files := fixture(t, "python")
	dir := t.TempDir()
	fresh, hits := cachedBuild(t, codebase.FromMap(files), dir)
	if hits != 0 {
		t.Fatalf("%d hits in an empty cache", hits)
	}
	again, hits := cachedBuild(t, codebase.FromMap(files), dir)
	if hits != len(again.files) ||
		!reflect.DeepEqual(fresh.symbols, again.symbols) || !reflect.DeepEqual(fresh.edges, again.edges) {
		t.Errorf("%d of %d files from the cache, or another graph", hits, len(again.files))
	}
	for name := range files {
		files[name] += "\n# more\n"
		break
	}
	if _, hits := cachedBuild(t, codebase.FromMap(files), dir); hits != len(again.files)-1 {
		t.Errorf("%d of %d files from the cache after one was changed", hits, len(again.files))
	}
}

func TestDamagedCacheIsRebuilt(t *testing.T) {
	files := fixture(t, "python")
	dir := t.TempDir()
	want, _ := cachedBuild(t, codebase.FromMap(files), dir)
	names := entries(t, dir)
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 0:
			text = text[:len(text)/2]
		case 1:
			text = nil
		case 2:
			text, err = os.ReadFile(names[(i+1)%len(names)]) // another file's
		case 3:
			text = []byte(`{"schema":2,"facts":null}`)
		}
		if err != nil || os.WriteFile(name, text, 0o600) != nil {
			t.Fatal(err)
		}
	}
	got, hits := cachedBuild(t, codebase.FromMap(files), dir)
	if hits > 0 || !reflect.DeepEqual(want.edges, got.edges) {
		t.Errorf("%d damaged entries were taken", hits)
	}
	if _, hits = cachedBuild(t, codebase.FromMap(files), dir); hits != len(got.files) {
		t.Errorf("only %d of %d entries were mended", hits, len(got.files))
	}
}

// A cache stays below its bound, and what is in use stays in it.
func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	build := func(n int) (hits int) {
		code := codebase.FromMap(map[string]string{"used.py": "def used(): pass\n",
			"a.py": fmt.Sprintf("def f(): pass\n%s# %d\n", strings.Repeat("x = 1\n", 40), n)})
		_, err := Build(t.Context(), code, Options{Parser: runtest.OpenParser, CacheDir: dir, CacheBytes: 20_000, Observe: func(p Progress) {
			if p.Cached {
				hits++
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	for n := range 30 {
		if hits := build(n); hits != min(n, 1) {
			t.Fatalf("build %d: %d hits", n, hits)
		}
	}
	var bytes int64
	for _, name := range entries(t, dir) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	if n := len(entries(t, dir)); bytes > 20_000 || n < 3 || n > 29 {
		t.Errorf("%d entries, %d bytes", n, bytes)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema":2,"language":"go","hash":"ab","facts":{"s":[{"n":"A","k":"function","p":-1,"l":1,"e":3}],` +
		`"i":[{"m":"fmt","l":1,"f":-1}],"r":[{"c":"a.b()","r":1,"l":2,"f":0}],"b":[{"n":"x","c":"A()","f":0}]}}`))
	f.Add([]byte(`{"schema":2,"language":"go","hash":"ab","facts":{"s":[{"n":"A","k":"function","p":7,"l":1,"e":3}]}}`))
	f.Add([]byte(`{"schema":2,"language":"go","hash":"ab","facts":{"r":[{"c":"A","f":4,"l":1}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts := decode(data, "go", "ab", 10)
		if facts == nil {
			return
		}
		// Whatever is taken can be linked and resolved.
		code := codebase.FromMap(map[string]string{"a.go": "package a\n\n\n\n\n\n\n\n\n\n"})
		g := &Graph{code: code, byPath: map[string]int32{"a.go": 0}, files: []file{{path: "a.go", family: "go", facts: facts}}}
		g.link()
		if err := g.resolveAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, s := range g.All() {
			g.Callers(s)
			g.Callees(s)
		}
		g.Outliers()
	})
}

// Whatever a file holds, its facts are fit for the cache, and the graph can be asked.
func FuzzCollect(f *testing.F) {
	parser := runtest.Parser(f)
	languages := parser.Languages()
	f.Add(uint8(1), "list.map(() => { class A { x = 1; static { let y = new B(); } } })\n")
	f.Add(uint8(0), "class A(B[C]):\n  def f(self, *, x: 'D' = 1): self.y, z = x, (yield)\n")
	f.Add(uint8(4), "package a\ntype T[K any] struct { *b.C; d func(x int) }\nfunc (t *T[K]) f() (x, y int) { switch z := x.(type) {} }\n")
	f.Add(uint8(7), "class A::B < C.new; @x = 1; def self.y?(a:, *b) = super; end\n")
	f.Fuzz(func(t *testing.T, number uint8, text string) {
		name := languages[int(number)%len(languages)]
		if len(text) > 4000 {
			return
		}
		code := codebase.FromMap(map[string]string{"x": text})
		text, _ = code.Text("x")
		tree, err := parser.Parse(t.Context(), name, []byte(text))
		if err != nil {
			return
		}
		facts := collect(name, tree)
		info, _ := code.File("x")
		if !facts.check(info.Lines) {
			t.Fatalf("facts that do not hold: %+v", facts)
		}
		g := &Graph{code: code, byPath: map[string]int32{"x": 0}, files: []file{{path: "x", family: language.Family(name), facts: facts}}}
		g.link()
		if err := g.resolveAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		g.Outliers()
	})
}

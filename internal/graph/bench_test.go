package graph

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// benchmarked loads what GRAPH_BENCH names, by default this repository's own packages.
func benchmarked(b *testing.B) *codebase.Codebase {
	dir := os.Getenv("GRAPH_BENCH")
	if dir == "" {
		dir = filepath.Join("..", "..", "internal")
	}
	code, err := codebase.Load(b.Context(), dir, codebase.Options{})
	if err != nil {
		b.Fatal(err)
	}
	runtest.Parser(b)
	return code
}

func lines(g *Graph) int {
	n := 0
	for i := range g.files {
		info, _ := g.code.File(g.files[i].path)
		n += info.Lines
	}
	return n
}

func benchmark(b *testing.B, code *codebase.Codebase, cache string) {
	var g *Graph
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		var err error
		if g, err = Build(b.Context(), code, Options{Parser: runtest.OpenParser, CacheDir: cache}); err != nil {
			b.Fatal(err)
		}
	}
	n := lines(g)
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(n), "kept-B/line")
	runtime.KeepAlive(g)
}

func BenchmarkBuildCold(b *testing.B) { benchmark(b, benchmarked(b), "") }

func BenchmarkBuildCached(b *testing.B) {
	code, dir := benchmarked(b), b.TempDir()
	if _, err := Build(b.Context(), code, Options{Parser: runtest.OpenParser, CacheDir: dir}); err != nil {
		b.Fatal(err)
	}
	benchmark(b, code, dir)
}

func BenchmarkOutliers(b *testing.B) { compare(b, func(g *Graph) { g.findOutliers() }) }

func BenchmarkVariants(b *testing.B) { compare(b, func(g *Graph) { g.Variants(nil) }) }

func compare(b *testing.B, run func(*Graph)) {
	g, err := Build(b.Context(), benchmarked(b), Options{Parser: runtest.OpenParser})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		run(g)
	}
	b.ReportMetric(float64(lines(g))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

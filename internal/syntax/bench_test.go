package syntax_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sample returns the language's sample, repeated to at least size bytes.
func sample(t testing.TB, language string, size int) []byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("testdata", language, "sample.*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("samples of %s: %v %v", language, found, err)
	}
	src, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Repeat(src, size/len(src)+1)
}

func BenchmarkParse(b *testing.B) {
	p := open(b, syntax.Config{})
	for _, l := range p.Languages() {
		src := sample(b, l, 200_000)
		b.Run(l, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Parse(b.Context(), l, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenCold(b *testing.B) {
	for b.Loop() {
		benchmarkOpen(b, b.TempDir())
	}
}

func BenchmarkOpenCached(b *testing.B) {
	dir := b.TempDir()
	benchmarkOpen(b, dir)
	for b.Loop() {
		benchmarkOpen(b, dir)
	}
}

// benchmarkOpen measures the way to the first tree.
func benchmarkOpen(b *testing.B, dir string) {
	p, err := syntax.Open(b.Context(), syntax.Config{CacheDir: dir})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := p.Parse(b.Context(), "go", []byte("package a\n")); err != nil {
		b.Fatal(err)
	}
	if err := p.Close(); err != nil {
		b.Fatal(err)
	}
}

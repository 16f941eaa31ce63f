package codebase

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// manyFiles writes n files of about 1.2 kB in directories of 100.
func manyFiles(b *testing.B, n int) string {
	dir := b.TempDir()
	body := strings.Repeat("    value = compute(first, second)  # a line\n", 25)
	for i := range n {
		d := filepath.Join(dir, fmt.Sprintf("pkg%03d/mod%02d", i/1000, i/100%10))
		if i%100 == 0 {
			if err := os.MkdirAll(d, 0o755); err != nil {
				b.Fatal(err)
			}
		}
		text := fmt.Sprintf("def function_%d():\n%s", i, body)
		if err := os.WriteFile(filepath.Join(d, fmt.Sprintf("file%02d.py", i%100)), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

func BenchmarkLoad100k(b *testing.B) {
	dir := manyFiles(b, 100_000)
	for _, bc := range []struct {
		name string
		look func() (string, bool)
	}{{"own walk", noGit}, {"git", findGit}} {
		b.Run(bc.name, func(b *testing.B) {
			if bc.name == "git" {
				git(b, dir, "init", "-q")
				git(b, dir, "add", ".")
			}
			b.ReportAllocs()
			var c *Codebase
			for b.Loop() {
				var err error
				if c, err = load(context.Background(), dir, Options{}, bc.look); err != nil {
					b.Fatal(err)
				}
			}
			if c.Stats().Files != 100_000 {
				b.Fatal(c.Stats().Files)
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB-heap")
			b.ReportMetric(float64(c.Stats().Chars)/(1<<20), "MiB-text")
			runtime.KeepAlive(c)
		})
	}
}

func BenchmarkTree100k(b *testing.B) {
	files := map[string]string{}
	for i := range 100_000 {
		files[fmt.Sprintf("pkg%03d/mod%02d/file%02d.py", i/1000, i/100%10, i%100)] = "x\n"
	}
	c := FromMap(files)
	for b.Loop() {
		c.Tree(20_000)
	}
}

package coverage

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// realistic makes a codebase of about size bytes: a licence header, common lines
// (a third), near-duplicate files (a tenth), the rest unique.
func realistic(size int) texts {
	rng := rand.New(rand.NewPCG(7, 7))
	common := []string{"\t}", "\treturn nil", "\tif err != nil {", "\t\treturn err", "", "import os", "} else {"}
	src := texts{}
	var last string
	for total := 0; total < size; {
		var sb strings.Builder
		sb.WriteString(licence)
		for range 50 + rng.IntN(400) {
			if rng.IntN(3) == 0 {
				sb.WriteString(common[rng.IntN(len(common))] + "\n")
			} else {
				fmt.Fprintf(&sb, "\tvalue%d := service.Call(ctx, %d, \"%x\")\n", rng.IntN(1000), rng.IntN(1e6), rng.Uint32())
			}
		}
		text := sb.String()
		if len(src)%10 == 9 {
			text = last[:len(last)/2] + "\tchanged()\n" + last[len(last)/2:]
		}
		last = text
		src[fmt.Sprintf("pkg%03d/file%05d.go", len(src)%300, len(src))] = text
		total += len(text)
	}
	return src
}

// prompts groups the files as a root would: a few to a prompt, each under its name.
func prompts(src texts, size int, write func(path, text string) string) []string {
	var out []string
	var sb strings.Builder
	for _, p := range src.Paths() {
		sb.WriteString(write(p, src[p]))
		if sb.Len() > size {
			out = append(out, "Review these files and report findings as JSON.\n"+sb.String())
			sb.Reset()
		}
	}
	return append(out, sb.String())
}

func BenchmarkDispatch(b *testing.B) {
	src := realistic(8 << 20)
	l := New(src)
	for _, bc := range []struct {
		name  string
		write func(path, text string) string
	}{
		{"plain", func(path, text string) string { return "### " + path + "\n```go\n" + text + "```\n" }},
		{"numbered", func(path, text string) string { return "### " + path + "\n" + number(text, "%5d | %s") }},
		{"escaped", func(path, text string) string { return fmt.Sprintf("%q: %q\n", path, text) }},
		{"prose", func(path, text string) string {
			return strings.NewReplacer("\t", " word ", "\n", ".\nSo ").Replace(text)
		}},
		{"paths", func(path, _ string) string { return path + "\n" }},
	} {
		b.Run(bc.name, func(b *testing.B) {
			ps := prompts(src, 64<<10, bc.write)
			total := 0
			for _, p := range ps {
				total += len(p)
			}
			b.SetBytes(int64(total))
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range ps {
					l.Dispatch(p)
				}
			}
			b.ReportMetric(l.Fraction(), "fraction")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, mb := range []int{2, 50} {
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			src := realistic(mb << 20)
			b.SetBytes(int64(mb) << 20)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var l *Ledger
			for b.Loop() {
				l = New(src)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB-kept")
			b.ReportMetric(l.Fraction(), "fraction")
		})
	}
}

// BenchmarkHostile dispatches what would make a naive matcher quadratic.
func BenchmarkHostile(b *testing.B) {
	same := strings.Repeat("x\n", 100_000)
	family := texts{}
	for i := range 200 {
		family[fmt.Sprintf("migrations/%03d.sql", i)] = strings.Replace(program("m", 500), "m_250 ", fmt.Sprintf("m_250_%d ", i), 1)
	}
	few := texts{}
	for i := range 30 {
		few[fmt.Sprintf("copy/%03d.sql", i)] = strings.Replace(program("m", 500), "m_250 ", fmt.Sprintf("m_250_%d ", i), 1)
	}
	for _, bc := range []struct {
		name   string
		src    texts
		prompt string
	}{
		{"one line repeated", texts{"x": same, "y": same + "y\n"}, same},
		{"200 near-duplicates", family, family["migrations/100.sql"]},
		{"30 near-duplicates", few, few["copy/010.sql"]},
		{"one-line file repeated", texts{"x": "x\n"}, same},
	} {
		b.Run(bc.name, func(b *testing.B) {
			l := New(bc.src)
			b.SetBytes(int64(len(bc.prompt)))
			for b.Loop() {
				l.Dispatch(bc.prompt)
			}
		})
	}
}

//go:build unix

package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkEncodeSource cuts the code of this package and its neighbours into tokens. bpe/testdata/bench.py does the same with the
// tokenizers library.
func BenchmarkEncodeSource(b *testing.B) {
	var all strings.Builder
	for _, pattern := range []string{"../*/*.go", "../../nano/*.go", "../../rlm/*.go", "../../rlm/*.py", "../../../docs/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			all.Write(data)
		}
	}
	for _, kind := range []string{"smollm2", "qwen2"} {
		b.Run(kind, func(b *testing.B) {
			tok := openPretrained(b, kind).Tokenizer
			b.SetBytes(int64(all.Len()))
			before := processorTime(b)
			first := float64(len(tok.Encode(all.String()))) / (processorTime(b) - before).Seconds() // nothing is remembered yet
			tokens := 0
			before = processorTime(b)
			for b.Loop() {
				tokens += len(tok.Encode(all.String()))
			}
			b.ReportMetric(float64(tokens)/(processorTime(b)-before).Seconds(), "tok/cpu-s")
			b.ReportMetric(first, "first-tok/cpu-s")
		})
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

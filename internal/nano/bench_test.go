package nano_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
)

// BenchmarkSampler samples rollouts of six turns side by side, as a step of training does, with a model of the usual size
// that has learnt nothing: almost every reply is as long as it may be.
func BenchmarkSampler(b *testing.B) {
	p := tiny(b, 1024)
	p.Model = transformer.New(transformer.Small(), 1)
	for _, conversations := range []int{1, 64} {
		b.Run(fmt.Sprint(conversations), func(b *testing.B) {
			s := nano.NewSampler(p, nano.SamplerConfig{MaxCell: 60})
			defer s.Close()
			var mu sync.Mutex
			written, round := 0, uint64(0)
			for b.Loop() {
				var wg sync.WaitGroup
				round++
				for i := range conversations {
					wg.Go(func() {
						turns := converse(b, s, round<<32|uint64(i), 1, 6)
						mu.Lock()
						defer mu.Unlock()
						for _, t := range turns {
							written += len(t.Reply)
						}
					})
				}
				wg.Wait()
			}
			b.ReportMetric(float64(written)/b.Elapsed().Seconds(), "tok/s")
		})
	}
}

// BenchmarkMessages has SmolLM2 (scripts/pretrained.sh, DEEPREPO_PRETRAINED) answer several at once; each answer has 64
// tokens at most. It reports tokens a second of processor time, which does not depend on what else runs.
func BenchmarkMessages(b *testing.B) {
	found, err := filepath.Glob(filepath.Join(os.Getenv("DEEPREPO_PRETRAINED"), "smollm2*.gguf"))
	if err != nil || os.Getenv("DEEPREPO_PRETRAINED") == "" || len(found) != 1 {
		b.Skip("there is no one smollm2*.gguf in DEEPREPO_PRETRAINED")
	}
	p := nano.NewProvider(nano.ProviderConfig{})
	defer p.Close()
	h, err := p.Open(found[0])
	if err != nil {
		b.Fatal(err)
	}
	for _, conversations := range []int{1, 8} {
		b.Run(fmt.Sprint(conversations), func(b *testing.B) {
			var written atomic.Int64
			began := processorTime(b)
			for b.Loop() {
				var all sync.WaitGroup
				for i := range conversations {
					all.Go(func() {
						seed, hot := int64(i), 1.0
						r := ask(b, h, llm.Request{Messages: user(strings.Repeat("Tell me a story. ", 1+i)), MaxTokens: 64, Seed: &seed,
							Temperature: &hot})
						written.Add(r.Usage.OutputTokens)
					})
				}
				all.Wait()
			}
			b.ReportMetric(float64(written.Load())/(processorTime(b)-began).Seconds(), "tok/cpu-s")
		})
	}
}

// processorTime is what this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package nano_test

import (
	"fmt"
	"sync"
	"testing"

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

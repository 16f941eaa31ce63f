package train

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// Shards is how many sums the parts of a step's batch are dealt to, one after the other. Each sum is made in order, and then
// that of them all: it is the same on one core and on sixteen.
const Shards = 4

// Sum adds up the gradients of many sequences on several cores. It is not safe for concurrent use.
type Sum struct {
	passes []*transformer.Pass // one a core
	shards [Shards]*transformer.Grads
	total  *transformer.Grads
}

// NewSum makes a sum over a model, or over an adapter on it: then only that is trained (see transformer.NewPass). At most
// Shards cores are used; fewer than one counts as one.
func NewSum(m *transformer.Model, a *transformer.Adapter, cores int) *Sum {
	s := newSum(transformer.NewPass(m, a), cores)
	params := s.passes[0].Params()
	for i := range s.shards {
		s.shards[i] = transformer.NewGrads(params)
	}
	s.total = transformer.NewGrads(params)
	return s
}

// NewReading makes a sum over a model that does not change, such as a reference: it only measures.
func NewReading(m *transformer.Model, cores int) *Sum { return newSum(transformer.NewReader(m), cores) }

func newSum(p *transformer.Pass, cores int) *Sum {
	s := &Sum{passes: []*transformer.Pass{p}}
	for len(s.passes) < min(cores, Shards) {
		s.passes = append(s.passes, p.Fork())
	}
	return s
}

// Each calls fn for the parts 0 to n-1 of a batch, several at a time: it goes forward and backward and adds to g. g is nil
// where only is true: then nothing is summed, as when a loss is measured. The sum is valid until the next call. fn must keep
// what it finds by i, and look at nothing that another i writes. An error, or ctx's end, stops it; the sum is then void.
func (s *Sum) Each(ctx context.Context, n int, only bool,
	fn func(i int, p *transformer.Pass, g *transformer.Grads) error) (*transformer.Grads, error) {
	errs := make([]error, Shards)
	work := make(chan int, Shards)
	for k := range min(n, Shards) {
		work <- k
	}
	close(work)
	var wg sync.WaitGroup
	for _, p := range s.passes {
		wg.Go(func() {
			for k := range work {
				errs[k] = s.shard(ctx, p, k, n, only, fn)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	if only {
		return nil, nil
	}
	s.total.Zero()
	for _, g := range s.shards[:min(n, Shards)] {
		s.total.Add(g)
	}
	return s.total, nil
}

func (s *Sum) shard(ctx context.Context, p *transformer.Pass, k, n int, only bool,
	fn func(i int, p *transformer.Pass, g *transformer.Grads) error) error {
	g := s.shards[k]
	if only {
		g = nil
	} else {
		g.Zero()
	}
	for i := k; i < n; i += Shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fn(i, p, g); err != nil {
			return fmt.Errorf("part %d of the batch: %w", i, err)
		}
	}
	return nil
}

// bundleRows bounds what a pass keeps for the way back: 0.7 MB a row for SmolLM2-135M.
const bundleRows = 1024

// EachBundle calls fn for bundles of sequences, those that begin alike together, so that what they share is computed once:
// of has the indices of a bundle's sequences. All else is as for Each.
func (s *Sum) EachBundle(ctx context.Context, sequences []transformer.Sequence, only bool,
	fn func(of []int, bundle []transformer.Sequence, p *transformer.Pass, g *transformer.Grads) error) (*transformer.Grads, error) {
	bundles := transformer.Bundles(sequences, bundleRows)
	return s.Each(ctx, len(bundles), only, func(i int, p *transformer.Pass, g *transformer.Grads) error {
		bundle := make([]transformer.Sequence, len(bundles[i]))
		for j, k := range bundles[i] {
			bundle[j] = sequences[k]
		}
		return fn(bundles[i], bundle, p, g)
	})
}

// Share is a part of a whole; 0 of nothing.
func Share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// Finite reports a number that is one.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

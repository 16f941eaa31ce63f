package verify

import (
	"context"
	"iter"
	"sync"

	"golang.org/x/sync/semaphore"
)

// How far other samples may be ahead of a slow one: so many of them, and so many bytes of their texts.
const (
	mostAhead  = 512
	bytesAhead = 32 << 20
)

// outcome is the place that a result will have.
type outcome[R any] struct {
	done   chan struct{}
	size   int64
	result R
	err    error
}

// ordered applies work to items, several at once, and hands the results to sink in the items' order.
func ordered[T, R any](ctx context.Context, workers int, items iter.Seq2[T, error], size func(T) int64,
	work func(context.Context, T) (R, error), sink func(R) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	type job struct {
		item T
		out  *outcome[R]
	}
	jobs := make(chan job)
	queue := make(chan *outcome[R], mostAhead)
	ahead := semaphore.NewWeighted(bytesAhead)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil) // before the wait
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.out.result, j.out.err = work(ctx, j.item)
				close(j.out.done)
			}
		})
	}
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		for item, err := range items {
			o := &outcome[R]{done: make(chan struct{}), err: err}
			if err == nil {
				o.size = min(size(item), bytesAhead)
				if ahead.Acquire(ctx, o.size) != nil {
					return
				}
			}
			select {
			case queue <- o:
			case <-ctx.Done():
				return
			}
			if err != nil {
				close(o.done)
				return
			}
			select {
			case jobs <- job{item, o}:
			case <-ctx.Done():
				o.err = ctx.Err()
				close(o.done)
				return
			}
		}
	})
	for o := range queue {
		<-o.done
		if o.err == nil {
			o.err = sink(o.result)
		}
		ahead.Release(o.size)
		if o.err != nil {
			cancel(o.err)
			return o.err
		}
	}
	return context.Cause(ctx)
}

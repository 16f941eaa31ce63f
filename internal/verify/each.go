package verify

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Each applies work to different items, several at once, and gives the results. The first error ends it. observe, if set,
// sees how many are done.
func Each[T comparable, R any](ctx context.Context, items []T, workers int, observe func(done, total int),
	work func(context.Context, T) (R, error)) (map[T]R, error) {
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	var mu sync.Mutex
	results := make(map[T]R, len(items))
	for _, item := range items {
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			r, err := work(within, item)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			results[item] = r
			if observe != nil {
				observe(len(results), len(items))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return results, ctx.Err()
}

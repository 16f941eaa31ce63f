package rlm

import "golang.org/x/sync/errgroup"

// parallel computes f(0..n-1) with at most limit goroutines and returns the results in order.
func parallel[T any](n, limit int, f func(i int) T) []T {
	results := make([]T, n)
	var g errgroup.Group
	g.SetLimit(limit)
	for i := range n {
		g.Go(func() error { results[i] = f(i); return nil })
	}
	_ = g.Wait() // no f fails
	return results
}

package rlm

import "sync"

// parallel computes f(0..n-1) with at most limit goroutines and returns the results in order.
func parallel[T any](n, limit int, f func(i int) T) []T {
	results := make([]T, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, limit) {
		wg.Go(func() {
			for i := range next {
				results[i] = f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

package runcode

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// Reasons why a request is not run.
var (
	errFull     = errors.New("the queue is full")
	errHeavy    = errors.New("too many bytes of requests are held already")
	errLate     = errors.New("no worker came free in time")
	errShutdown = errors.New("the server is shutting down")
)

// queue is the bounded room of requests: a place for each that was accepted, a slot for each that runs.
type queue struct {
	places  int   // most
	weight  int64 // most
	slots   chan struct{}
	closing chan struct{}

	mu     sync.Mutex
	closed bool
	taken  int
	held   int64
	mean   float64 // seconds that a program has a slot, a moving average
	wg     sync.WaitGroup
}

func newQueue(workers, waiting int, weight int64) *queue {
	return &queue{places: workers + waiting, weight: weight, slots: make(chan struct{}, workers), closing: make(chan struct{})}
}

// enter takes a place for a request of that many bytes; leave gives it back.
func (q *queue) enter(bytes int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return errShutdown
	case q.taken >= q.places:
		return errFull
	case q.held > 0 && q.held+bytes > q.weight:
		return errHeavy
	}
	q.taken++
	q.held += bytes
	q.wg.Add(1)
	return nil
}

// more takes n more places for a request that turned out to be a batch.
func (q *queue) more(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return errShutdown
	case q.taken+n > q.places:
		return errFull
	}
	q.taken += n
	return nil
}

// less gives n of those places back.
func (q *queue) less(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken -= n
}

func (q *queue) leave(bytes int64) {
	q.mu.Lock()
	q.taken--
	q.held -= bytes
	q.mu.Unlock()
	q.wg.Done()
}

// slot waits for a worker, at most wait long where wait is not 0. Those who wait are served in the order in which they
// came. The returned function gives the worker back.
func (q *queue) slot(ctx context.Context, wait time.Duration) (func(), error) {
	var late <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		late = timer.C
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case <-q.closing: // even when there is a slot, too
		return nil, errShutdown
	default:
	}
	select {
	case q.slots <- struct{}{}:
	case <-late:
		return nil, errLate
	case <-q.closing:
		return nil, errShutdown
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	began := time.Now()
	return func() {
		<-q.slots
		q.mu.Lock()
		defer q.mu.Unlock()
		q.mean += (time.Since(began).Seconds() - q.mean) / 16
	}, nil
}

// close refuses all who come or wait; those that run continue.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.closing)
	}
}

// load is how many programs have a place, how many of them run, and how many places there are.
func (q *queue) load() (taken, running, places int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.taken, len(q.slots), q.places
}

// retryAfter is in how many seconds half of those who wait will have been served, as far as can be foreseen.
func (q *queue) retryAfter() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	half := float64(q.taken) / 2 * q.mean / float64(cap(q.slots))
	return int(min(max(math.Ceil(half), 1), 60))
}

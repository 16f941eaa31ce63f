package sandbox

import (
	"sync"
	"time"
)

// killGrace is how long after a step's limit, which the worker watches itself, the worker is killed.
const killGrace = 70 * time.Millisecond

// watch kills a worker when a step runs past its limit. Time in host calls does not count. The timer is not touched by each
// host call, which would wake another thread each time: it comes too early at the worst, and is then set again.
type watch struct {
	kill func() // called at most once

	mu        sync.Mutex
	timer     *time.Timer
	left      time.Duration // when the clock last started
	began     time.Time     // then
	ran       time.Duration
	serving   bool
	asleep    bool // the timer came during a host call
	cancelled bool
	ended     bool
	fired     bool
}

func newWatch(limit time.Duration, kill func()) *watch {
	w := &watch{kill: kill, left: limit, began: time.Now()}
	w.mu.Lock() // the timer may come before it is known here
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(limit, w.fire)
	return w
}

func (w *watch) fire() {
	if w.due() {
		w.kill()
	}
}

// due tells, once, whether the limit is reached.
func (w *watch) due() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.fired {
		return false
	}
	if w.asleep = w.serving; w.serving {
		return false
	}
	if rest := w.left - time.Since(w.began); rest > 0 {
		w.timer.Reset(rest)
		return false
	}
	w.fired = true
	return true
}

// pause stops the clock for a host call.
func (w *watch) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serving = true
	d := time.Since(w.began)
	w.ran += d
	w.left -= d
}

// resume starts the clock again; extra is given on top for the transfer of the reply.
func (w *watch) resume(extra time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serving = false
	w.began = time.Now()
	w.left = max(w.left, killGrace)
	if w.cancelled {
		w.left = killGrace
	}
	w.left += extra
	if w.asleep || w.cancelled {
		w.asleep = false
		w.timer.Reset(w.left)
	}
}

// cancel leaves the step killGrace to obey an order to stop.
func (w *watch) cancel() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancelled = true
	if !w.ended && !w.serving {
		w.ran += time.Since(w.began)
		w.began, w.left = time.Now(), killGrace
		w.timer.Reset(killGrace)
	}
}

// end stops the watch and returns the time the step ran.
func (w *watch) end() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	if !w.ended && !w.serving {
		w.ran += time.Since(w.began)
	}
	w.ended = true
	return w.ran
}

package sandbox

import (
	"sync"
	"time"
)

// killGrace is how long after a step's limit, which the worker watches itself, the worker is killed.
const killGrace = 70 * time.Millisecond

// watch kills a worker when a step runs past its limit. Time in host calls does not count.
type watch struct {
	kill func() // called at most once

	mu        sync.Mutex
	timer     *time.Timer
	left      time.Duration
	began     time.Time
	ran       time.Duration
	serving   bool
	cancelled bool
	ended     bool
	fired     bool
}

func newWatch(limit time.Duration, kill func()) *watch {
	w := &watch{kill: kill, left: limit, began: time.Now()}
	w.timer = time.AfterFunc(limit, w.fire)
	return w
}

func (w *watch) fire() {
	w.mu.Lock()
	due := !w.ended && !w.serving && !w.fired
	w.fired = w.fired || due
	w.mu.Unlock()
	if due {
		w.kill()
	}
}

// pause stops the clock for a host call.
func (w *watch) pause() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
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
	w.timer.Reset(w.left)
}

// cancel leaves the step killGrace to obey an order to stop.
func (w *watch) cancel() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancelled = true
	if !w.ended && !w.serving {
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

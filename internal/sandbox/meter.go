package sandbox

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// meter counts steps and time of one step of a session and decides when it must stop.
type meter struct {
	cancelled atomic.Bool // set and cleared in the order of the parent's frames
	steps     int64
	budget    int64
	halt      int64 // stop here for the reason why, in a replay
	why       trace.CellStop
	mu        sync.Mutex // guards the clock, which the watching goroutine reads
	began     time.Time
	pausedAt  time.Time     // zero when the clock runs
	paused    time.Duration // spent in host calls
	wall      time.Duration
	stop      trace.CellStop
	stopped   time.Time
	halted    int64
	grace     int64 // steps left for the sandbox's own report after a stop
}

const (
	slice = 20000
	// graceTime bounds the unwinding of a stopped program; after it the instance is given up.
	graceTime  = 40 * time.Millisecond
	graceSteps = 2_000_000
)

func (m *meter) start(q runRequest) {
	m.steps, m.budget, m.halt, m.why = 0, q.Steps, q.Halt, q.Why
	m.stop, m.stopped, m.halted, m.grace = "", time.Time{}, 0, 0
	m.mu.Lock()
	defer m.mu.Unlock()
	m.began, m.pausedAt, m.paused, m.wall = time.Now(), time.Time{}, 0, q.Wall
}

// pause and resume stop the clock around a host call.
func (m *meter) pause() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pausedAt = time.Now()
}

func (m *meter) resume() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paused += time.Since(m.pausedAt)
	m.pausedAt = time.Time{}
}

// elapsed is the time the step has run, host calls excluded.
func (m *meter) elapsed() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.pausedAt
	if now.IsZero() {
		now = time.Now()
	}
	return now.Sub(m.began) - m.paused
}

// left is the time until the wall limit.
func (m *meter) left() time.Duration {
	d := m.wall - m.elapsed()
	if m.wall > 0 && d <= 0 {
		return d
	}
	return max(d, time.Millisecond)
}

// grant is the size of the next slice: a whole one, or exactly what is left until the step must stop.
func (m *meter) grant() int64 {
	n := min(slice, m.budget-m.steps+1)
	if m.halt > 0 {
		n = min(n, m.halt-m.steps)
	}
	return max(1, n)
}

// tick accounts for used steps. It returns how many more are granted or, at most 0, the code of the reason to stop.
func (m *meter) tick(used int64) (int64, error) {
	m.steps += used
	if m.stop == "" {
		switch {
		case m.halt > 0:
			if m.steps < m.halt {
				return m.grant(), nil
			}
			m.stop = m.why
		case m.steps > m.budget:
			m.stop = trace.CellSteps
		case m.cancelled.Load():
			m.stop = stopCancel
		case m.wall > 0 && m.elapsed() >= m.wall:
			m.stop = trace.CellWall
		default:
			return m.grant(), nil
		}
		m.stopped, m.halted = time.Now(), m.steps
		return m.code(), nil
	}
	grace := graceTime
	if m.halt > 0 {
		grace = 50 * graceTime // a replay: it did end the first time
	}
	if time.Since(m.stopped) > grace {
		return 0, errors.New("the program did not end when it was stopped")
	}
	if m.grace > 0 {
		if m.grace -= used; m.grace > 0 {
			return slice, nil
		}
	}
	return m.code(), nil
}

func (m *meter) code() int64 {
	switch m.stop {
	case trace.CellWall:
		return -1
	case stopCancel:
		return -2
	}
	return 0
}

// ran notes that guarded code has ended and grants steps for what follows. After a stop, the sandbox's own report has
// its own steps.
func (m *meter) ran(used int64) int64 {
	m.steps += used
	if m.stop == "" {
		return m.grant()
	}
	if m.grace <= 0 {
		m.grace = graceSteps
	}
	return slice
}

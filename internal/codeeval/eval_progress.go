package codeeval

import (
	"sync"

	"github.com/deeprepo/deeprepo/internal/generate"
)

// EvalProgress is a snapshot for a live view: what was generated, and of that what was judged.
type EvalProgress struct {
	generate.Progress
	// Verified and Passed count samples that were judged so far.
	Verified, Passed int
	// Controls of ControlsTotal control programs have run; that comes first.
	Controls, ControlsTotal int
}

// evalView puts the progress of both halves together.
type evalView struct {
	show func(EvalProgress)

	mu   sync.Mutex
	last EvalProgress
}

func newEvalView(show func(EvalProgress)) *evalView {
	if show == nil {
		show = func(EvalProgress) {}
	}
	return &evalView{show: show}
}

func (v *evalView) update(change func(*EvalProgress)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change(&v.last)
	v.show(v.last)
}

func (v *evalView) judged(p Progress) {
	v.update(func(e *EvalProgress) {
		if p.Phase == PhaseControls {
			e.Controls, e.ControlsTotal = p.Done, p.Total
			return
		}
		e.Verified, e.Passed = p.Done, p.Passed
	})
}

func (v *evalView) generated(p generate.Progress) {
	v.update(func(e *EvalProgress) { e.Progress = p })
}

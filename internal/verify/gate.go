package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// GateError is a gate that did not pass: the harness is not to be trusted, whatever the samples are.
type GateError struct{ Controls runfile.Controls }

func (e *GateError) Error() string {
	c := e.Controls
	if c.Null.Total == 0 {
		return "the controls did not pass: there is no task to run them on"
	}
	all := append(slices.Clone(c.Canonical.Unexpected), c.Null.Unexpected...)
	var b strings.Builder
	fmt.Fprintf(&b, "the controls did not pass, so no score is given: %d of %d references passed, and %d of %d null programs",
		c.Canonical.Passed, c.Canonical.Total, c.Null.Passed, c.Null.Total)
	for i, s := range all {
		if i == listed {
			fmt.Fprintf(&b, "\n  and %d more", len(all)-listed)
			break
		}
		b.WriteString("\n  " + s.String())
	}
	return b.String()
}

// Hint says what such a failure means.
func (e *GateError) Hint() string {
	for _, s := range append(slices.Clone(e.Controls.Canonical.Unexpected), e.Controls.Null.Unexpected...) {
		if s.Verdict == string(sandbox.InfraError) {
			return "the sandbox itself failed; try again, and with fewer --workers if memory is short"
		}
	}
	return "the dataset file is not the one expected, or the sandbox is at fault: compare its checksum, and try one reference with " +
		"deeprepo sandbox"
}

// gate says whether anything may be judged. Of its Config it uses what belongs to the controls.
type gate struct {
	Config
	judge  judge
	bounds *bounds

	mu       sync.Mutex
	controls *runfile.Controls
}

// passed gives the controls once they came out as they must.
func (g *gate) passed() (runfile.Controls, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.controls == nil || !g.controls.OK() {
		return runfile.Controls{}, false
	}
	return *g.controls, true
}

// run is Verifier.Gate.
func (g *gate) run(ctx context.Context) (runfile.Controls, error) {
	if c, ok := g.passed(); ok {
		return c, nil
	}
	started := g.Now()
	all := controlPrograms(g.Set, g.Selected, g.Workers)
	c := runfile.Controls{Canonical: runfile.CanonicalControl{ExpectedFailures: []string{}}}
	items := func(yield func(control, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
	done := 0
	err := ordered(ctx, g.Workers, items, func(control) int64 { return 0 }, g.try, func(t tried) error {
		_, known := g.Set.Info.KnownFailures[t.task.ID]
		asItMust := count(&c, t.control, t.result, known)
		if t.name == Canonical && t.result.Passed {
			g.bounds.measured(t.task.ID, reference{t.result.Interpreter, t.result.Seconds})
		}
		if t.cached {
			c.Cached++
		} else if asItMust {
			g.Cache.put(t.control, t.result)
		}
		done++
		g.Observe(done, len(all))
		return nil
	})
	if err != nil {
		return c, err
	}
	c.Seconds = g.Now().Sub(started).Round(time.Millisecond).Seconds()
	if err := g.Cache.save(); err != nil {
		return c, err
	}
	g.mu.Lock()
	g.controls = &c
	g.mu.Unlock()
	if !c.OK() {
		return c, &GateError{c}
	}
	return c, nil
}

// tried is what became of a control.
type tried struct {
	control
	result Result
	cached bool
}

// try runs a control, or remembers what it gave.
func (g *gate) try(ctx context.Context, one control) (tried, error) {
	if r, ok := g.Cache.get(one); ok && !one.program.Live {
		return tried{one, r, true}, nil
	}
	var r Result
	j := sandbox.Judgement{Verdict: sandbox.Empty}
	if !blank(one.program.Code) {
		var err error
		if j, err = g.judge.exec(ctx, one.program); err != nil {
			return tried{}, err
		}
	}
	r.of(one.program, j)
	return tried{one, r, false}, nil
}

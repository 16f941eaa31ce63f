package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
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
	fmt.Fprintf(&b, "the controls did not pass, so no score is given: %d of %d references passed, and %d of %d null programs", c.Canonical.Passed, c.Canonical.Total, c.Null.Passed, c.Null.Total)
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
	return "the dataset file is not the one expected, or the sandbox is at fault: compare its checksum, and try one reference with deeprepo sandbox"
}

// control is one program of the gate.
type control struct {
	task    dataset.Task
	name    string // Canonical or a null's
	program sandbox.Program
	// live ones run even where the cache knows them: the sandbox of today must be seen to work.
	live bool
}

// Gate runs the controls of the selected tasks: references must pass, null programs must not. It also measures the
// references, whose own steps bound what programs of their task may take. It must pass before anything is judged; its
// error is then a *GateError. Once passed it costs nothing more.
func (v *Verifier) Gate(ctx context.Context) (runfile.Controls, error) {
	v.mu.Lock()
	if v.controls != nil && v.controls.OK() {
		defer v.mu.Unlock()
		return *v.controls, nil
	}
	v.mu.Unlock()
	started := v.c.Now()
	all := v.controlPrograms()
	c := runfile.Controls{Canonical: runfile.CanonicalControl{ExpectedFailures: []string{}}}
	done := 0
	items := func(yield func(control, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
	type ran struct {
		control
		result Result
		cached bool
	}
	run := func(ctx context.Context, one control) (ran, error) {
		if r, ok := v.c.Cache.get(one); ok && !one.live {
			return ran{one, r, true}, nil
		}
		r := Result{TaskID: one.task.ID}
		j := sandbox.Judgement{Verdict: sandbox.Empty}
		if !blank(one.program.Code) {
			var err error
			if j, err = v.exec(ctx, one.program); err != nil {
				return ran{}, err
			}
		}
		r.of(one.program, j)
		return ran{one, r, false}, nil
	}
	err := ordered(ctx, v.c.Workers, items, func(control) int64 { return 0 }, run, func(r ran) error {
		if r.cached {
			c.Cached++
		} else if v.count(&c, r.control, r.result) {
			v.c.Cache.put(r.control, r.result)
		}
		if r.cached {
			v.count(&c, r.control, r.result)
		}
		done++
		v.c.Observe(done, len(all))
		return nil
	})
	if err != nil {
		return c, err
	}
	c.Seconds = v.c.Now().Sub(started).Round(time.Millisecond).Seconds()
	if err := v.c.Cache.save(); err != nil {
		return c, err
	}
	v.mu.Lock()
	v.controls = &c
	v.mu.Unlock()
	if !c.OK() {
		return c, &GateError{c}
	}
	return c, nil
}

// controlPrograms lists the gate's programs.
func (v *Verifier) controlPrograms() []control {
	var all []control
	limits := sandbox.Limits{Steps: mostSteps, Wall: controlWall}
	add := func(t dataset.Task, name, code string) {
		p := t.Program(code)
		p.Limits = limits
		all = append(all, control{t, name, p, len(all) <= v.c.Workers})
	}
	for _, t := range v.c.Set.Tasks {
		if !v.c.Selected(t.ID) {
			continue
		}
		if t.Canonical != "" {
			add(t, Canonical, t.Canonical)
		}
		for _, name := range Nulls() {
			if code, ok := Null(t, name); ok {
				add(t, name, code)
			}
		}
	}
	return all
}

// count books a control and says whether it came out as it must.
func (v *Verifier) count(c *runfile.Controls, one control, r Result) bool {
	surprise := runfile.Surprise{TaskID: one.task.ID, Program: one.name, Verdict: string(r.Verdict), Error: r.ErrorClass}
	if r.ErrorMessage != "" {
		surprise.Error += ": " + r.ErrorMessage
	}
	if len(surprise.Error) > 200 {
		surprise.Error = strings.ToValidUTF8(surprise.Error[:200], "") + "..."
	}
	if one.name == Canonical {
		c.Canonical.Total++
		_, known := v.c.Set.Info.KnownFailures[one.task.ID]
		switch {
		case r.Passed:
			c.Canonical.Passed++
			v.mu.Lock()
			v.took[one.task.ID] = reference{r.Interpreter, r.Seconds}
			v.mu.Unlock()
			if known {
				c.Canonical.Cured = append(c.Canonical.Cured, one.task.ID)
			}
		case known && r.Verdict != sandbox.InfraError:
			c.Canonical.ExpectedFailures = append(c.Canonical.ExpectedFailures, one.task.ID)
		default:
			c.Canonical.Unexpected = append(c.Canonical.Unexpected, surprise)
			return false
		}
		return true
	}
	c.Null.Total++
	if r.Passed {
		c.Null.Passed++
	}
	if want := wanted(one.name); r.Passed || r.Verdict == sandbox.InfraError || want != "" && r.Verdict != want {
		c.Null.Unexpected = append(c.Null.Unexpected, surprise)
		return false
	}
	return true
}

package verify

import (
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// control is one program of the gate.
type control struct {
	task    dataset.Task
	name    string // Canonical or a null's
	program sandbox.Program
}

// controlPrograms lists the programs of the gate of the selected tasks. The first so many of them are live: they run even where a
// cache or a fleet knows them, for the sandbox of today must be seen to work.
func controlPrograms(set *dataset.Set, selected func(id string) bool, live int) []control {
	var all []control
	limits := sandbox.Limits{Steps: mostSteps, Wall: controlWall}
	add := func(t dataset.Task, name, code string) {
		p := t.Program(code)
		p.Limits, p.Live = limits, len(all) <= live
		all = append(all, control{t, name, p})
	}
	for _, t := range set.Tasks {
		if !selected(t.ID) {
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

// count books a control and says whether it came out as it must. known says that its reference fails, as far as is known.
func count(c *runfile.Controls, one control, r Result, known bool) bool {
	r.TaskID = one.task.ID
	c.Comparison = compared(c.Comparison, r.CodeResult, runfile.Difference{Program: one.name})
	surprise := runfile.Surprise{TaskID: one.task.ID, Program: one.name, Verdict: string(r.Verdict), Error: errorOf(r.CodeResult)}
	if one.name == Canonical {
		c.Canonical.Total++
		switch {
		case r.Passed:
			c.Canonical.Passed++
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

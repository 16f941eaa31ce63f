package verify

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Controls are what the gate found.
type Controls struct {
	Canonical CanonicalControl `json:"canonical"`
	Null      NullControl      `json:"null"`
	// Seconds is what they took, and Cached how many of their programs were not run because an earlier gate had run the
	// same ones in the same sandbox.
	Seconds float64 `json:"seconds"`
	Cached  int     `json:"cached"`
}

// CanonicalControl says how many references passed.
type CanonicalControl struct {
	Passed int `json:"passed"`
	Total  int `json:"total"`
	// ExpectedFailures are the tasks whose reference is known to fail, and did.
	ExpectedFailures []string `json:"expected_failures"`
	// Unexpected are the tasks whose reference should have passed, with what it got instead.
	Unexpected []Surprise `json:"unexpected,omitempty"`
	// Cured are tasks whose reference is known to fail and passed.
	Cured []string `json:"cured,omitempty"`
}

// NullControl says how many null programs passed: none may.
type NullControl struct {
	Passed int `json:"passed"`
	Total  int `json:"total"`
	// Unexpected are those that passed, or got another verdict than such a program must.
	Unexpected []Surprise `json:"unexpected,omitempty"`
}

// Surprise is a control that did not come out as it must.
type Surprise struct {
	TaskID  string          `json:"task_id"`
	Program string          `json:"program"` // canonical, or one of Nulls
	Verdict sandbox.Verdict `json:"verdict"`
	Error   string          `json:"error,omitempty"`
}

func (s Surprise) String() string {
	text := fmt.Sprintf("%s: the %s program: %s", s.TaskID, s.Program, strings.ReplaceAll(string(s.Verdict), "_", " "))
	if s.Error != "" {
		text += " (" + s.Error + ")"
	}
	return text
}

// OK says whether a score may be printed.
func (c Controls) OK() bool {
	return len(c.Canonical.Unexpected) == 0 && len(c.Null.Unexpected) == 0 && c.Null.Passed == 0 && c.Null.Total > 0
}

// control is one program of the gate.
type control struct {
	task    dataset.Task
	name    string // Canonical or a null's
	program sandbox.Program
	// live ones run even where the cache knows them: the sandbox of today must be seen to work.
	live bool
}

// controlPrograms lists the programs of the gate of the selected tasks. The first so many of them are live.
func controlPrograms(set *dataset.Set, selected func(id string) bool, live int) []control {
	var all []control
	limits := sandbox.Limits{Steps: mostSteps, Wall: controlWall}
	add := func(t dataset.Task, name, code string) {
		p := t.Program(code)
		p.Limits = limits
		all = append(all, control{t, name, p, len(all) <= live})
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
func (c *Controls) count(one control, r Result, known bool) bool {
	surprise := Surprise{TaskID: one.task.ID, Program: one.name, Verdict: r.Verdict, Error: r.ErrorClass}
	if r.ErrorMessage != "" {
		surprise.Error += ": " + r.ErrorMessage
	}
	if len(surprise.Error) > 200 {
		surprise.Error = strings.ToValidUTF8(surprise.Error[:200], "") + "..."
	}
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

package verify

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// judge runs programs against the tests of their task.
type judge struct {
	box       Executor
	repeat    int  // how often each runs, with another random seed each time
	keepGoing bool // also after a test that failed
	challenge bool // the harder tests decide, too
	live      bool // it runs, whoever knows its judgement
}

// run is what a program gets, within limits. The error is the context's own: a fault of the sandbox, met twice, is the
// verdict sandbox.InfraError.
func (w judge) run(ctx context.Context, t dataset.Task, code string, limits sandbox.Limits) (Result, error) {
	fresh := Result{Code: code}
	fresh.TaskID = t.ID
	r := fresh
	if w.challenge {
		t.Tests = slices.Concat(t.Tests, t.Challenges)
	}
	p := t.Program(code)
	p.Limits, p.KeepGoing, p.Live = limits, w.keepGoing, w.live
	if blank(code) {
		r.of(p, sandbox.Judgement{Verdict: sandbox.Empty})
		return r, nil
	}
	for i := range w.repeat {
		again := p
		if i > 0 && p.Language == "" { // others have no common way to be seeded
			again.Setup = p.Setup + "\nimport random as _seed\n_seed.seed(" + strconv.Itoa(i) + ")\ndel _seed\n"
		}
		j, err := w.exec(ctx, again)
		if err != nil {
			return Result{}, err
		}
		one := fresh
		one.of(again, j)
		if i == 0 {
			r = one
			continue
		}
		if one.Passed != r.Passed && one.Verdict != sandbox.InfraError && r.Verdict != sandbox.InfraError {
			if r.Passed {
				r = one
			}
			r.Flaky = true
		}
	}
	return r, nil
}

// exec runs a program; where the sandbox fails, it is run once more.
func (w judge) exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	for again := false; ; again = true {
		j, err := w.box.Exec(ctx, p)
		if ctx.Err() != nil {
			return sandbox.Judgement{}, ctx.Err()
		}
		if err == nil && j.Verdict != sandbox.InfraError {
			return j, nil
		}
		if again {
			if err != nil {
				j = sandbox.Judgement{Error: &sandbox.PyError{Type: "sandbox", Message: err.Error()}}
			}
			j.Verdict = sandbox.InfraError
			return j, nil
		}
	}
}

// blank says whether a program has nothing in it.
func blank(code string) bool { return strings.Trim(code, " \n\t\r\f") == "" }

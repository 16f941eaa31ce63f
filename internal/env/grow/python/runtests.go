package python

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

//go:embed runtests.py
var runtests string

// Sandbox opens sessions. *sandbox.Engine satisfies it.
type Sandbox interface {
	NewSession(ctx context.Context, c sandbox.SessionConfig) (*sandbox.Session, error)
}

// Outcome is what a project's tests did.
type Outcome struct {
	Passed   int      `json:"passed"`
	Failures []string `json:"failures"` // one a test that failed, or a module that could not be imported
	Asserts  int      `json:"asserts"`  // assertions that ran
}

// RunTests imports every module of a project in a session of its own and runs its tests: unittest's cases, and plain
// functions, in modules called test_*. Errors are the sandbox's, or a run that was stopped by a limit.
func RunTests(ctx context.Context, s Sandbox, files map[string]string) (Outcome, error) {
	var o Outcome
	setup, err := json.Marshal(files)
	if err != nil {
		return o, err
	}
	session, err := s.NewSession(ctx, sandbox.SessionConfig{Prelude: runtests, Setup: setup, Limits: sandbox.Limits{OutputBytes: 1 << 20}})
	if err != nil {
		return o, err
	}
	defer session.Close()
	r, err := session.Run(ctx, "print('\\n' + _run(_files))")
	if err != nil {
		return o, err
	}
	if r.Error != nil {
		return o, fmt.Errorf("running the tests: %w", r.Error)
	}
	if r.Stop != "" {
		return o, fmt.Errorf("running the tests: stopped by the limit %q", r.Stop)
	}
	out := strings.TrimSpace(r.Output)
	if err := json.Unmarshal([]byte(out[strings.LastIndexByte(out, '\n')+1:]), &o); err != nil {
		return o, fmt.Errorf("reading the tests' outcome: %w", err)
	}
	return o, nil
}

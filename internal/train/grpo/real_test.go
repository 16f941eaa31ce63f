package grpo

import (
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

var cells *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { cells = e }) }

// TestElsewhereForReal trains the policy in the program, in our own environment, with cells that are run.
func TestElsewhereForReal(t *testing.T) {
	orchestration := func() env.Environment {
		return catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	}
	o := Options{Steps: 2, Tasks: 3, Group: 3, Refill: -1, MaxTurns: 3, Heldout: 2}
	o.Seed = 5
	c := Config{Environment: orchestration(), Sandbox: cells, Out: filepath.Join(t.TempDir(), "local")}
	var err error
	if c.Policy, err = nano.NewProvider(nano.ProviderConfig{}).Policy(nano.Orchestrator); err != nil {
		t.Fatal(err)
	}
	local, err := Run(t.Context(), o, c)
	if err != nil {
		t.Fatal(err)
	}
	if s := local.Steps[1]; s.Rollouts != 9 || s.Loss == 0 || s.Dispatches == 0 {
		t.Fatalf("nothing was learnt: %+v", s)
	}
	m := newMachines(t, orchestration)
	for _, h := range m.hosts {
		h.c.Sandbox = cells
	}
	c.Environment, c.Sandbox, c.Out = orchestration(), nil, filepath.Join(t.TempDir(), "elsewhere")
	c.Elsewhere = &Machines{Perform: m.perform, Keep: m.keep, Together: 2}
	out, err := Run(t.Context(), o, c)
	if err != nil {
		t.Fatal(err)
	}
	same(t, local, out)
}

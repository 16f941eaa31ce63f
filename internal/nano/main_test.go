package nano_test

import (
	"context"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// orchestration is the real environment.
func orchestration() env.Environment {
	return catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
}

// roll plays one rollout of a task.
func roll(t testing.TB, e env.Environment, task env.Task, h llm.Handle, turns int) env.Rollout {
	t.Helper()
	r, err := e.Roll(context.Background(), task, env.Attempt{
		Root:    func(*llm.Budget) (llm.Handle, error) { return h, nil },
		Sandbox: engine, Trace: trace.NewWriter(trace.Discard, 0, time.Now, nil), MaxTurns: turns,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

package train

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// fake is an environment whose rollouts are written down.
type fake struct {
	env.Environment
	roll func(a env.Attempt) (env.Rollout, error)
}

func (f fake) Roll(_ context.Context, _ env.Task, a env.Attempt) (env.Rollout, error) {
	return f.roll(a)
}

func TestPlay(t *testing.T) {
	watched := 0
	rollout := env.Rollout{Reward: 0.75, Turns: 2, Metrics: map[string]float64{"coverage": 1, MetricCellErrors: 2},
		Prompt: []llm.Message{{Role: llm.RoleSystem, Content: "s"},
			{Role: llm.RoleUser, Content: "The codebase has 3 files, 9 lines, 5000 characters.\n\n[Turn 1/20, 19 left after it; coverage 0%]"}},
		Completion: []llm.Message{{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "1", Name: "execute_python",
			Arguments: `{"code":"print(1"}`}}}}}
	e := fake{roll: func(a env.Attempt) (env.Rollout, error) {
		for _, kind := range []string{"", "SyntaxError", "NameError", "IndentationError"} {
			if err := a.Trace.Append(trace.Event{Kind: trace.KindCell, Cell: &trace.Cell{ErrorType: kind}}); err != nil {
				return env.Rollout{}, err
			}
		}
		if a.Seed != 7 || a.MaxTurns != 5 {
			t.Errorf("the attempt has seed %d and %d turns", a.Seed, a.MaxTurns)
		}
		return rollout, nil
	}}
	ep, err := Play(context.Background(), e, env.Task{ID: "t"},
		Attempt{Root: llm.Handle{Name: "nano/x"}, Seed: 7, MaxTurns: 5, Watch: func(trace.Event) { watched++ }})
	if err != nil {
		t.Fatal(err)
	}
	if len(ep.Exchanges) != 1 || ep.Exchanges[0].Cell != "print(1" || !strings.HasPrefix(ep.Exchanges[0].View, "3 files 5k") {
		t.Errorf("it lived through %+v", ep.Exchanges)
	}
	ep.Exchanges = nil
	want := Episode{Task: "t", Policy: "nano/x", Reward: 0.75, Turns: 2,
		Metrics: map[string]float64{"coverage": 1, MetricCellErrors: 2, MetricCells: 4, MetricSyntaxErrors: 2}}
	if diff := cmp.Diff(want, ep); diff != "" || watched != 4 {
		t.Errorf("%d events, %s", watched, diff)
	}
	if len(rollout.Metrics) != 2 {
		t.Error("the rollout's own metrics were changed")
	}
}

func TestPlayFails(t *testing.T) {
	broke := errors.New("no sandbox")
	ended, end := context.WithCancel(context.Background())
	end()
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		rollout env.Rollout
		err     error
		want    string
	}{
		{"the environment", context.Background(), env.Rollout{}, broke, "play t: no sandbox"},
		{"the policy's model", context.Background(), env.Rollout{Stop: env.StopError, Error: "no weights"}, nil, "the policy failed: no weights"},
		{"the end", ended, env.Rollout{Stop: env.StopInterrupted}, nil, context.Canceled.Error()},
	} {
		e := fake{roll: func(env.Attempt) (env.Rollout, error) { return tt.rollout, tt.err }}
		if _, err := Play(tt.ctx, e, env.Task{ID: "t"}, Attempt{}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

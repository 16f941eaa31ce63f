package rlm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Ctrl-C in the middle of a batch whose cell then gives an answer made of refusals.
func TestAnInterruptedCellHandsInNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	worker := func(c context.Context, r llm.Request) (llm.Response, error) {
		if r.Messages[0].Content == "b" {
			cancel()
			return llm.Response{}, c.Err()
		}
		return echo(c, r)
	}
	root := &runtest.Script{Replies: []string{
		cells("try:\n    r = llm_batch(['a', 'b'])\nexcept BaseException:\n    r = ['broken']\nset_answer('|'.join(r))"),
	}}
	res, err := play(t, ctx, setup{root: root, worker: worker, change: func(c *rlm.Config) { c.Concurrency = 1 }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != trace.StatusPartial || res.StopReason != "interrupted" || strings.Contains(res.Analysis, "dispatch failed") {
		t.Errorf("status %s (%s), analysis %q", res.Status, res.StopReason, res.Analysis)
	}
}

func TestAskingAgainInOneTurnDoesNotOpenTheGate(t *testing.T) {
	root := &runtest.Script{Replies: []string{cells("for _ in range(9): set_answer('pushed through')")}}
	res, err := play(t, context.Background(), setup{root: root,
		change: func(c *rlm.Config) { c.Gate = rlm.Gate{Mode: rlm.GateHold, Coverage: 0.9} }})
	if err != nil || res.Turns != 4 || res.Metrics.GateHolds != 3 {
		t.Errorf("%d turns, %d holds, %v", res.Turns, res.Metrics.GateHolds, err)
	}
}

func TestTheLastTurnsOutputIsSaved(t *testing.T) {
	root := &runtest.Script{Replies: []string{cells("print('all that there is')")}}
	res, err := play(t, context.Background(), setup{root: root, change: func(c *rlm.Config) { c.MaxTurns = 1 }})
	if err != nil || !strings.Contains(res.Analysis, "output: all that there is") {
		t.Errorf("analysis %q, %v", res.Analysis, err)
	}
}

// lonely is a root whose child answers in prose, in its only turn.
func lonely(parent, child string, seen *[]llm.Request) llm.Model {
	return llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		*seen = append(*seen, r)
		cost := money.USD(0)
		text := parent
		if strings.HasPrefix(r.Messages[0].Content, "Your task") {
			text = child
		}
		return llm.Response{Text: text, Cost: &cost}, nil
	})
}

func TestAChildsProseIsItsAnswer(t *testing.T) {
	var seen []llm.Request
	prose := strings.Repeat("The parser trusts its input. ", 10)
	res, err := play(t, context.Background(), setup{root: lonely(cells(`set_answer(rlm_query("look"))`), prose, &seen),
		change: func(c *rlm.Config) { c.MaxDepth, c.ChildTurns = 1, 1 }})
	if err != nil || !strings.Contains(res.Analysis, strings.TrimSpace(prose)) {
		t.Errorf("analysis %q, %v", res.Analysis, err)
	}
}

func TestSecretsReachNoRootByATaskOrAnError(t *testing.T) {
	var seen []llm.Request
	root := lonely(cells(`rlm_query(codebase["conf.py"])`, `raise ValueError(codebase["conf.py"])`), cells(`set_answer("seen")`), &seen)
	_, err := play(t, context.Background(), setup{root: root, files: map[string]string{"conf.py": "KEY = 'hush'\n"},
		change: func(c *rlm.Config) { c.MaxDepth, c.MaxTurns, c.Redact = 1, 2, hush{} }})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range seen {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "hush") {
				t.Errorf("request %d says %q", i, m.Content)
			}
		}
	}
	if len(seen) != 3 && len(seen) != 4 {
		t.Errorf("%d requests", len(seen))
	}
}

func TestTurnsWithDispatchesAreEachLoopsOwn(t *testing.T) {
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		cost := money.USD(0)
		text := cells(`rlm_batch(["read", "idle"])`, `set_answer("done")`)
		switch {
		case strings.Contains(r.Messages[0].Content, "\nread\n"):
			text = cells(`llm_batch([f"p{i}" for i in range(200)])`, `set_answer("done")`)
		case strings.Contains(r.Messages[0].Content, "\nidle\n"):
			text = cells("for i in range(300000): pass", `set_answer("done")`)
		}
		return llm.Response{Text: text, Cost: &cost}, nil
	})
	res, err := play(t, context.Background(), setup{root: root, change: func(c *rlm.Config) { c.MaxDepth = 1 }})
	if err != nil || res.Metrics.TurnsWithDispatch != 2 {
		t.Errorf("%d turns with dispatches, want the reading child's and its parent's; %v", res.Metrics.TurnsWithDispatch, err)
	}
}

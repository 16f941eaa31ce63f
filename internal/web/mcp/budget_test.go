package mcp_test

import (
	"context"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
)

// The cap is for the server's life: reviews after one that used most of it get what is left, then none.
func TestTheBudgetIsTheServersWhole(t *testing.T) {
	dir := tree(t)
	c := config(t, dir)
	limit := money.Dollar / 2
	c.Budget = &limit
	usual, env := c.Options, c.Env
	var offline bool
	c.Options = func(a mcp.Asked) (review.Options, error) {
		o, err := usual(a)
		if offline = a.Offline; !offline {
			o.Worker, o.NoCache = "paid/worker", true
		}
		return o, err
	}
	billed := 0
	c.Env = func(observe func(rlm.Progress)) review.Env {
		e := env(observe)
		e.Registry.Register("paid", func(string) (llm.Handle, error) {
			return llm.Handle{Price: &llm.Price{Output: 100 * money.Dollar}, Context: 100_000, Output: 1000,
				Model: llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
					billed++ // $0.1
					return llm.Response{Text: `{"findings": []}`, Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1000}}, nil
				})}, nil
		}, "worker")
		return e
	}
	s := client(t, c, nil)
	for range 8 {
		r, err := s.CallTool(t.Context(), call("review", map[string]any{"path": "app", "budget": 5}))
		if err != nil {
			t.Fatal(err)
		}
		if r.IsError {
			break
		}
	}
	if billed == 0 || billed > 5 {
		t.Errorf("%d calls of $0.1 were billed under a cap of $0.5", billed)
	}
	before := billed
	ask(t, s, "review", map[string]any{"path": "app", "offline": true})
	if !offline || billed != before {
		t.Errorf("an offline review: offline %v, %d calls", offline, billed-before)
	}
}

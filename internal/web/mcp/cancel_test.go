package mcp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
)

// paid is a model that answers so many times, at $0.1 each, and then says nothing until its caller has gone.
type paid struct {
	mu      sync.Mutex
	left    int
	answers map[string]int // by prompt
	silent  chan struct{}  // closed by the first call without an answer
	gone    chan struct{}  // gets one for each caller that left
}

func (p *paid) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	p.mu.Lock()
	p.left--
	left := p.left
	if left >= 0 {
		p.answers[fmt.Sprint(r.Messages)]++
	}
	p.mu.Unlock()
	if left >= 0 {
		return llm.Response{Text: `{"findings": []}`, Finish: llm.FinishStop, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1000}}, nil
	}
	if left == -1 {
		close(p.silent)
	}
	<-ctx.Done()
	p.gone <- struct{}{}
	return llm.Response{}, ctx.Err()
}

// A review that its client cancels stops asking its model, keeps what was paid for, and goes on from there when it is resumed.
func TestACancelledReviewKeepsWhatWasPaid(t *testing.T) {
	files := map[string]string{}
	for i := range 12 {
		files[fmt.Sprintf("app/m%02d.py", i)] = strings.Repeat(fmt.Sprintf("def f%d():\n    return %d\n\n", i, i), 1500)
	}
	c := config(t, runtest.Tree(t, files))
	limit := 100 * money.Dollar
	c.Budget = &limit
	usual, env := c.Options, c.Env
	c.Options = func(a mcp.Asked) (review.Options, error) {
		o, err := usual(a)
		o.Worker, o.NoCache, o.Concurrency = "paid/worker", true, 1
		return o, err
	}
	model := &paid{left: 3, answers: map[string]int{}, silent: make(chan struct{}), gone: make(chan struct{}, 100)}
	c.Env = func(observe func(rlm.Progress)) review.Env {
		e := env(observe)
		e.Registry.Register("paid", func(string) (llm.Handle, error) {
			return llm.Handle{Price: &llm.Price{Output: 100 * money.Dollar}, Context: 100_000, Output: 1000, Model: model}, nil
		}, "worker")
		return e
	}
	s := client(t, c, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-model.silent; cancel() }()
	if _, err := s.CallTool(ctx, call("review", map[string]any{"path": "app"})); err == nil {
		t.Error("a cancelled review was answered")
	}
	select {
	case <-model.gone:
	case <-time.After(20 * time.Second):
		t.Fatal("the review still waits for its model")
	}
	dir := filepath.Join(c.Runs, "none")
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if entries, _ := os.ReadDir(c.Runs); len(entries) == 1 {
			if dir = filepath.Join(c.Runs, entries[0].Name()); len(listed(t, s)) > 0 {
				break
			}
		}
	}
	before, err := review.ReadReport(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if before.Run.StopReason != trace.StopInterrupted || before.Usage.Worker.CostUSD == nil || *before.Usage.Worker.CostUSD != 0.3 {
		t.Errorf("the cancelled run: %s, %+v", before.Run.StopReason, before.Usage.Worker)
	}
	model.mu.Lock()
	model.left = 1000
	model.mu.Unlock()
	out, err := review.Resume(t.Context(), dir, review.Changes{}, c.Env(nil))
	if err != nil || out.Report.Coverage.Fraction != 1 {
		t.Errorf("resumed: %v, coverage %v", err, out.Report.Coverage.Fraction)
	}
	total := 0
	for prompt, n := range model.answers {
		if total += n; n > 1 {
			t.Errorf("paid for %d times: %.100s", n, prompt)
		}
	}
	if total <= 3 || *out.Report.Usage.Worker.CostUSD != float64(total)/10 {
		t.Errorf("%d answers, and the report says $%v", total, *out.Report.Usage.Worker.CostUSD)
	}
}

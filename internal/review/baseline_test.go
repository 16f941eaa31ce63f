package review

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

func TestABilledFailureOfTheOneCallStaysOnTheBill(t *testing.T) {
	down := true
	reader := func(context.Context, llm.Request) (llm.Response, error) {
		cost := money.Dollar / 10
		u := llm.Usage{InputTokens: 10, OutputTokens: 5}
		if down {
			return llm.Response{}, &llm.Error{Kind: llm.KindEmpty, Message: "empty", Cost: &cost, Usage: u}
		}
		return llm.Response{Text: "# Report\n\nIt runs.", Finish: llm.FinishStop, Cost: &cost, Usage: u}, nil
	}
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "run")
	env := environment(t, nil, reader)
	got, err := Baseline(ctx, Options{Path: runtest.Tree(t, map[string]string{"a.py": "x = 1\n"}), Out: dir, Root: "fake/reader"}, env)
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Report.Usage.TotalCostUSD; got.Report.Run.Status != "failed" || c == nil || *c != 0.1 {
		t.Errorf("status %s, cost %v", got.Report.Run.Status, c)
	}
	down = false
	for range 2 {
		if got, err = Resume(ctx, dir, Changes{}, env); err != nil {
			t.Fatal(err)
		}
		if c := got.Report.Usage.TotalCostUSD; got.Report.Run.Status != "completed" || c == nil || *c != 0.2 {
			t.Errorf("resumed: status %s, cost %v", got.Report.Run.Status, c)
		}
	}
}

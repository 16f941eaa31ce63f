package rlm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// journaled is what all the calls in a trace cost: what the bill must say, however often the run was resumed.
func journaled(t *testing.T, dir string) (sum money.USD) {
	t.Helper()
	for _, e := range events(t, dir) {
		switch {
		case e.Kind == trace.KindRoot:
			sum += money.USD(*e.Root.Usage.CostPico)
		case e.Kind == trace.KindDispatch && !e.Dispatch.Cached:
			sum += money.USD(*e.Dispatch.Usage.CostPico)
		}
	}
	return sum
}

// edit changes the events of a trace; change returns false for one that is to go.
func edit(t *testing.T, dir string, change func(*trace.Event) bool) {
	t.Helper()
	var out bytes.Buffer
	seq := int64(0)
	for _, e := range events(t, dir) {
		if !change(&e) {
			continue
		}
		seq++
		e.Seq = seq
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestARaisedBudgetStillBillsTheReportOfTheSpentOne(t *testing.T) {
	price := &llm.Price{Input: money.Dollar, Output: 2 * money.Dollar}
	calls := 0
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		u := llm.Usage{InputTokens: 9000, OutputTokens: 500}
		cost := price.Cost(u)
		text := cells("print(1)")
		if strings.Contains(r.System, "budget is spent") {
			text = "# early"
		} else if calls++; calls > 6 {
			text = cells(`set_answer("late")`)
		}
		return llm.Response{Text: text, Usage: u, Cost: &cost}, nil
	})
	dir := t.TempDir()
	for round, tt := range []struct {
		cap      money.USD
		analysis string
	}{{money.Dollar / 20, "# early"}, {money.Dollar / 20, "# early"}, {money.Dollar, "late"}, {money.Dollar, "late"}} {
		budget := llm.NewBudget(tt.cap)
		res, err := play(t, context.Background(), setup{root: root, dir: dir, change: func(c *rlm.Config) { c.Budget = budget }})
		if err != nil || res.Analysis != tt.analysis {
			t.Fatalf("round %d: %s (%s), analysis %q, %v", round, res.Status, res.StopReason, res.Analysis, err)
		}
		if cost, want := res.TotalCost(), journaled(t, dir); *cost != want || budget.Spent() != want {
			t.Errorf("round %d: the bill says %v and the budget %v, the journal %v", round, cost, budget.Spent(), want)
		}
	}
}

func TestFailuresThatWereBilledStayOnTheBill(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	worker := func(c context.Context, r llm.Request) (llm.Response, error) {
		switch calls++; calls {
		case 1:
			cost := money.USD(1000)
			return llm.Response{}, &llm.Error{Kind: llm.KindOverloaded, Message: "empty", Cost: &cost, Usage: llm.Usage{InputTokens: 10}}
		case 2: // broken off by the user, and billed all the same
			cancel()
			cost := money.USD(500)
			return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Message: "stopped", Cost: &cost, Usage: llm.Usage{InputTokens: 5}}
		}
		return echo(c, r)
	}
	dir := t.TempDir()
	s := setup{root: &runtest.Script{Replies: []string{cells(`r = llm_batch(["a", "b"])`), cells(`set_answer("|".join(r))`)}},
		worker: worker, dir: dir,
		change: func(c *rlm.Config) { c.Concurrency = 1 }}
	if _, err := play(t, ctx, s); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		res, err := play(t, context.Background(), s)
		if err != nil || res.Analysis != "re: a|re: b" {
			t.Fatalf("%q, %v", res.Analysis, err)
		}
		if res.Worker.Cost != 1514 || journaled(t, dir) != 1514 {
			t.Errorf("the workers' bill is %v, the journal says %v", res.Worker.Cost, journaled(t, dir))
		}
	}
}

func TestARootsBilledFailuresStayOnTheBill(t *testing.T) {
	down := true
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		cost := money.USD(100)
		if down {
			return llm.Response{}, &llm.Error{Kind: llm.KindEmpty, Message: "empty", Cost: &cost, Usage: llm.Usage{InputTokens: 10}}
		}
		return llm.Response{Text: cells(`set_answer("done")`), Cost: &cost, Usage: llm.Usage{InputTokens: 10}}, nil
	})
	dir := t.TempDir()
	for round, want := range []money.USD{100, 200, 300, 300} {
		down = round < 2
		res, err := play(t, context.Background(), setup{root: root, dir: dir})
		if err != nil || res.Root.Cost != want || journaled(t, dir) != want {
			t.Errorf("round %d: the root's bill is %v, the journal says %v, want %v; %v", round, res.Root.Cost, journaled(t, dir), want, err)
		}
	}
}

func TestAReplyIsFoundUnderItsEqual(t *testing.T) {
	dir := t.TempDir()
	worker := &counted{}
	s := setup{root: &runtest.Script{Replies: []string{cells(`set_answer(str(len(llm_batch(["same"] * 3))))`)}}, worker: worker.Complete,
		dir:    dir,
		change: func(c *rlm.Config) { c.Concurrency = 1 }}
	want, err := play(t, context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	// Another order of the goroutines: the third asked, and was all that was written before the crash.
	edit(t, dir, func(e *trace.Event) bool {
		if e.Kind != trace.KindDispatch {
			return e.Kind == trace.KindStart || e.Kind == trace.KindRoot
		}
		e.Key = strings.TrimSuffix(e.Key, "0001") + "0003"
		return !e.Dispatch.Cached
	})
	got, err := play(t, context.Background(), s)
	if err != nil || worker.total() != 1 {
		t.Errorf("the prompt was paid for %d times, %v", worker.total(), err)
	}
	if diff := cmp.Diff(view(want), view(got)); diff != "" {
		t.Error(diff)
	}
}

func TestAFullDiskDoesNotMakeTheCostUnknown(t *testing.T) {
	res, err := play(t, context.Background(), setup{files: manyFiles(12), root: &runtest.Script{Replies: reviewCells},
		change: func(c *rlm.Config) {
			c.Trace, c.Concurrency = trace.NewWriter(&fullDisk{left: 6_000}, 0, time.Now, nil), 1
		}})
	if err == nil || res.TotalCost() == nil {
		t.Errorf("cost %v, %v: what was never sent costs nothing", res.TotalCost(), err)
	}
}

// A killed cell does not run again, but what its workers were paid for still counts.
func TestAKilledCellKeepsWhatItsWorkersFound(t *testing.T) {
	for name, first := range map[string]string{
		"its own":     `llm_batch([f"=== FILE: {p} (lines 1-5 of 5) ===\n{codebase[p]}" for p in codebase])`,
		"its child's": `rlm_query("read all")`,
	} {
		t.Run(name, func(t *testing.T) {
			root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
				cost := money.USD(5)
				text := cells(first)
				switch {
				case strings.HasPrefix(r.Messages[0].Content, "Your task"):
					text = cells(`llm_batch([f"=== FILE: {p} (lines 1-5 of 5) ===\n{codebase[p]}" for p in codebase]); set_answer("read")`)
				case len(r.Messages) > 1:
					text = cells(`set_answer("done")`)
				}
				return llm.Response{Text: text, Cost: &cost, Usage: llm.Usage{InputTokens: 1}}, nil
			})
			dir := t.TempDir()
			s := setup{files: manyFiles(4), root: root, worker: (&counted{}).Complete, dir: dir,
				change: func(c *rlm.Config) { c.MaxDepth = 1 }}
			whole, err := play(t, context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			edit(t, dir, func(e *trace.Event) bool {
				if e.Kind == trace.KindCell && e.Key == "t001.c01" {
					e.Cell.Stop = "killed"
				}
				return true
			})
			got, err := play(t, context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Findings) != 4 || got.Coverage.Fraction() != 1 || got.Root != whole.Root || got.Worker != whole.Worker ||
				got.Metrics.Dispatches != 4 || got.Metrics.BatchedDispatches != 4 || got.Metrics.TurnsWithDispatch == 0 {
				t.Errorf("%d findings, coverage %v, root %+v, worker %+v, metrics %+v", len(got.Findings), got.Coverage.Fraction(), got.Root,
					got.Worker, got.Metrics)
			}
		})
	}
}

func TestReplayDoesNotWriteEventsAgain(t *testing.T) {
	replies := []string{cells(`set_answer("early")`)}
	for range 5 {
		replies = append(replies, cells("print('b' * 3000)"))
	}
	replies = append(replies, cells(`set_answer("too early"); llm_batch(list(codebase.values())); set_answer("late")`))
	calls := 0
	root := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		calls++
		cost := money.USD(0)
		return llm.Response{Text: replies[min(calls, len(replies))-1], Cost: &cost}, nil
	})
	dir := t.TempDir()
	s := setup{root: root, dir: dir, change: func(c *rlm.Config) {
		c.TranscriptChars, c.Gate = 9_000, rlm.Gate{Mode: rlm.GateHold, Coverage: 1}
	}}
	count := func() map[trace.Kind]int {
		kinds := map[trace.Kind]int{}
		for _, e := range events(t, dir) {
			kinds[e.Kind]++
		}
		delete(kinds, trace.KindStart)
		delete(kinds, trace.KindEnd)
		return kinds
	}
	first, err := play(t, context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	want := count()
	if want[trace.KindGate] != 2 || want[trace.KindCompact] == 0 {
		t.Fatalf("the run had %v", want)
	}
	again, err := play(t, context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, count()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(view(first), view(again)); diff != "" {
		t.Error(diff)
	}
}

// A call that broke off may have been billed: its cost is unknown, not zero, and stays so after a resume.
func TestACallThatBrokeOffMakesTheBillUnknown(t *testing.T) {
	brokenOff := true
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if brokenOff {
			return llm.Response{}, &llm.Error{Kind: llm.KindTruncated, Message: "the connection broke"}
		}
		return echo(ctx, r)
	}
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{cells(`print(llm_query("a"))`), cells(`set_answer("done")`)}}
	for _, again := range []bool{false, true} {
		brokenOff = !again
		res, err := play(t, context.Background(), setup{root: root, worker: worker, dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if cost := res.TotalCost(); cost != nil {
			t.Errorf("resumed %v: the bill says %v", again, *cost)
		}
	}
	free := func(c *rlm.Config) {
		m := c.Models.(models)
		m.worker.Price = llm.NotBilled()
		c.Models = m
	}
	brokenOff = true
	res, err := play(t, context.Background(), setup{root: root, worker: worker, change: free})
	if err != nil || res.TotalCost() == nil {
		t.Errorf("a worker that nobody bills: %v, %v", res.TotalCost(), err)
	}
}

// What the budget refused is asked when there is money again, although the root has seen the refusal.
func TestALargerBudgetBuysWhatWasRefused(t *testing.T) {
	price := &llm.Price{Input: money.Dollar, Output: 2 * money.Dollar}
	calls := 0
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		calls++
		u := llm.Usage{InputTokens: 9000, OutputTokens: 100}
		cost := price.Cost(u)
		return llm.Response{Text: `{"summary":"s","findings":[]}`, Usage: u, Cost: &cost}, nil
	}
	root := &runtest.Script{Replies: []string{
		cells(`r = llm_batch([f"=== FILE: {p} (lines 1-5 of 5) ===\n{codebase[p]}" for p in codebase])`), cells(`set_answer("the report")`),
	}}
	dir := t.TempDir()
	run := func(limit money.USD) rlm.Result {
		res, err := play(t, context.Background(), setup{files: manyFiles(12), root: root, worker: worker, dir: dir,
			change: func(c *rlm.Config) { c.Budget, c.Concurrency, c.RootTokens = llm.NewBudget(limit), 1, 500 }})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	poor := run(money.Dollar / 12)
	if poor.Metrics.DispatchErrors == 0 || poor.Coverage.Fraction() == 1 {
		t.Fatalf("nothing was refused: %+v", poor.Metrics)
	}
	before := calls
	rich := run(money.Dollar)
	if rich.Metrics.DispatchErrors != 0 || rich.Coverage.Fraction() != 1 || calls-before != poor.Metrics.DispatchErrors {
		t.Errorf("%d calls more for %d refused; coverage %v", calls-before, poor.Metrics.DispatchErrors, rich.Coverage.Fraction())
	}
}

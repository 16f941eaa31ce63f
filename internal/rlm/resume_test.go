package rlm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// counted is a worker that finds one defect in each file it sees, and counts the calls that were paid for.
type counted struct{ paid atomic.Int64 }

func (c *counted) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	prompt := r.Messages[0].Content
	c.paid.Add(1)
	cost := money.USD(len(prompt))
	text := "{\"summary\": \"read\", \"findings\": []}"
	if _, rest, ok := strings.Cut(prompt, "=== FILE: "); ok {
		path, _, _ := strings.Cut(rest, " ")
		text = fmt.Sprintf(`{"summary":"read","findings":[{"file":%q,"line":1,"title":"bad value in %s","severity":"low","category":"logic",`+
			`"evidence":"VALUE_OF_%s = 1"},{"file":%q,"line":2,"title":"made up in %s","severity":"low","category":"logic",`+
			`"evidence":"no_such_code(here)"}]}`,
			path, path, strings.TrimSuffix(filepath.Base(path), ".py"), path, path)
	}
	return llm.Response{Text: text, Cost: &cost, Usage: llm.Usage{InputTokens: int64(len(prompt)), OutputTokens: 9}}, nil
}

func (c *counted) total() int { return int(c.paid.Load()) }

func manyFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("pkg/f%02d.py", i)] = fmt.Sprintf("VALUE_OF_f%02d = 1\n\n\ndef f%02d():\n    return VALUE_OF_f%02d\n", i, i, i)
	}
	return files
}

// reviewCells is a root that dispatches every file, follows up on its state, lets a child work, and reports.
var reviewCells = []string{
	cells(`prompts = [f"=== FILE: {p} (lines 1-5 of 5) ===\n{codebase[p]}=== END ===" for p in codebase]
replies = llm_batch(prompts)
print(len(replies), budget()["usd_left"])`),
	cells("import random\nk = random.randrange(10**9)\nprint(k, llm_query(f'follow up {k}'))"),
	cells(`set_answer("\n".join(f"{f['file']}:{f['line']} {f['title']}" for f in findings()) + f" {k}")`),
}

type outcome struct {
	Status               trace.Status
	Stop                 trace.StopReason
	Analysis             string
	Turns                int
	Findings, Ungrounded any
	Dismissed            any
	Root, Worker         rlm.RoleUsage
	Metrics              rlm.Metrics
	Fraction             float64
}

func view(r rlm.Result) outcome {
	return outcome{r.Status, r.StopReason, r.Analysis, r.Turns, r.Findings, r.Ungrounded, r.Dismissed, r.Root, r.Worker, r.Metrics,
		r.Coverage.Fraction()}
}

// Cut the journal after every event, resume, and the result must be that of the uninterrupted run, with every journaled
// reply used and only the missing calls made.
func TestResumeFromEveryPointOfTheJournal(t *testing.T) {
	t.Run("llm_batch", func(t *testing.T) { resumeFromEveryPoint(t, manyFiles(12), reviewCells, 13) })
	t.Run("the names that look and judge", func(t *testing.T) { resumeFromEveryPoint(t, manyFiles(7), handCells, 14) })
}

// resumeFromEveryPoint wants that many replies of workers to be paid for in all.
func resumeFromEveryPoint(t *testing.T, files map[string]string, replies []string, dispatches int) {
	run := func(dir string, worker *counted, root *runtest.Script) outcome {
		res, err := play(t, context.Background(), setup{files: files, root: root, worker: worker.Complete, dir: dir,
			change: func(c *rlm.Config) {
				c.Budget, c.Concurrency, c.Opinion = llm.NewBudget(money.Dollar), 3, opinion{lacks: "bad value"}
			}})
		if err != nil {
			t.Fatal(err)
		}
		return view(res)
	}
	whole := t.TempDir()
	want := run(whole, &counted{}, &runtest.Script{Replies: replies, Cost: 1000})
	if want.Status != trace.StatusCompleted || len(want.Analysis) < 100 || want.Fraction != 1 {
		t.Fatalf("the uninterrupted run: %+v", want)
	}
	journal, err := os.ReadFile(filepath.Join(whole, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for cut, part := range runtest.Cuts(journal) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), part, 0o644); err != nil {
			t.Fatal(err)
		}
		done, _, err := trace.Read(bytes.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		paid, asked := 0, 0
		for _, e := range done {
			switch {
			case e.Kind == trace.KindDispatch && !e.Dispatch.Cached:
				paid++
			case e.Kind == trace.KindRoot:
				asked++
			}
		}
		worker, root := &counted{}, &runtest.Script{Replies: replies, Cost: 1000}
		got := run(dir, worker, root)
		// What was in flight when the journal ends may have been billed, and nobody will ever know.
		inFlight := map[string]bool{}
		for _, e := range done {
			if e.Kind == trace.KindReserve {
				inFlight[e.Key] = true
			} else {
				delete(inFlight, e.Key)
			}
		}
		if more := got.Root.AtMost + got.Worker.AtMost - want.Root.AtMost - want.Worker.AtMost; more < 0 || (more > 0) != (len(inFlight) > 0) {
			t.Errorf("resumed after event %d with %d calls in flight: at most %s more", cut, len(inFlight), more)
		}
		got.Root.AtMost, got.Worker.AtMost = want.Root.AtMost, want.Worker.AtMost
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("resumed after event %d, the result differs:\n%s", cut, diff)
		}
		if live := worker.total(); live != dispatches-paid {
			t.Errorf("resumed after event %d: %d dispatches were paid, %d were in the journal of %d", cut, live, paid, dispatches)
		}
		if live := len(root.Seen); live != 3-asked {
			t.Errorf("resumed after event %d: the root was asked %d times, %d replies were in the journal of 3", cut, live, asked)
		}
	}
}

func TestAnInterruptedRunKeepsWhatItPaidFor(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	worker := &counted{}
	stopAfter := func(c context.Context, r llm.Request) (llm.Response, error) {
		if worker.total() == 5 {
			cancel()
			<-c.Done()
			return llm.Response{}, c.Err()
		}
		return worker.Complete(c, r)
	}
	dir := t.TempDir()
	s := setup{files: manyFiles(12), root: &runtest.Script{Replies: reviewCells}, worker: stopAfter, dir: dir,
		change: func(c *rlm.Config) { c.Concurrency = 1 }}
	res, err := play(t, ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != trace.StatusPartial || res.StopReason != "interrupted" || len(res.Findings) != 5 {
		t.Fatalf("status %s (%s), %d findings", res.Status, res.StopReason, len(res.Findings))
	}
	s.worker = worker.Complete
	res, err = play(t, context.Background(), s)
	if err != nil || res.Status != trace.StatusCompleted || len(res.Findings) != 12 {
		t.Fatalf("resumed: status %s, %d findings, %v", res.Status, len(res.Findings), err)
	}
	if worker.total() != 13 {
		t.Errorf("%d dispatches were paid for in all, want 13", worker.total())
	}
}

// An outage is over when the run is resumed: what it broke in the unfinished cell is asked again.
func TestFailuresOfAnUnfinishedCellAreAskedAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	flaky := func(c context.Context, r llm.Request) (llm.Response, error) {
		switch calls++; {
		case calls == 2:
			return llm.Response{}, &llm.Error{Kind: llm.KindOverloaded, Message: "down"}
		case calls == 4:
			cancel()
			return llm.Response{}, c.Err()
		}
		return echo(c, r)
	}
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{cells(`r = llm_batch(["a", "b", "c", "d"]); print(r)`), cells(`set_answer("|".join(r))`)}}
	s := setup{root: root, worker: flaky, dir: dir, change: func(c *rlm.Config) { c.Concurrency = 1 }}
	if res, err := play(t, ctx, s); err != nil || res.StopReason != "interrupted" {
		t.Fatalf("%s, %v", res.StopReason, err)
	}
	s.worker = echo
	res, err := play(t, context.Background(), s)
	if err != nil || res.Analysis != "re: a|re: b|re: c|re: d" {
		t.Errorf("analysis %q, %v", res.Analysis, err)
	}
	// In a finished cell the failure stays what it was: the root has seen it.
	again, err := play(t, context.Background(), s)
	if err != nil || again.Analysis != res.Analysis {
		t.Errorf("a third time: %q, %v", again.Analysis, err)
	}
}

func TestTheBudgetEndsTheRunAndLeavesMoneyForTheReport(t *testing.T) {
	price := &llm.Price{Input: money.Dollar, Output: 2 * money.Dollar} // a micro-dollar an input token
	spend := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if r.Turn {
			t.Error("a worker is asked for a turn")
		}
		u := llm.Usage{InputTokens: 2000, OutputTokens: 100}
		cost := price.Cost(u)
		return llm.Response{Text: "{\"summary\":\"s\",\"findings\":[]}", Usage: u, Cost: &cost}, nil
	}
	var synthesis llm.Request
	root := llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
		u := llm.Usage{InputTokens: 5000, OutputTokens: 500}
		cost := price.Cost(u)
		text := cells("r = llm_batch([f'p{i}' for i in range(40)]); print(sum('[dispatch failed]' in x for x in r))")
		if strings.Contains(r.System, "budget is spent") {
			synthesis = r
			text = "# What was found before the money ran out"
		}
		if r.Turn == (synthesis.System != "") {
			t.Errorf("turn %v of a request with %q", r.Turn, r.System)
		}
		return llm.Response{Text: text, Usage: u, Cost: &cost}, nil
	})
	limit := money.Dollar / 4
	dir := t.TempDir()
	budget := llm.NewBudget(limit)
	res, err := play(t, context.Background(), setup{root: root, worker: spend, dir: dir,
		change: func(c *rlm.Config) { c.Budget = budget; c.Concurrency = 16 }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Status != trace.StatusPartial || res.StopReason != "budget" || res.Analysis != "# What was found before the money ran out" {
		t.Errorf("status %s (%s), analysis %q", res.Status, res.StopReason, res.Analysis)
	}
	if len(synthesis.Messages) != 1 || !strings.Contains(synthesis.Messages[0].Content, "What the turns did") {
		t.Errorf("the synthesis was asked %+v", synthesis.Messages)
	}
	if cost := res.TotalCost(); cost == nil || *cost > limit || *cost < limit/2 || *cost != budget.Spent() {
		t.Errorf("cost %v of %v, the budget counted %v", cost, limit, budget.Spent())
	}
}

func TestChildrenCannotSpendMoreThanTheCap(t *testing.T) {
	price := &llm.Price{Input: money.Dollar, Output: 2 * money.Dollar}
	paid := func(text string) (llm.Response, error) {
		u := llm.Usage{InputTokens: 1000, OutputTokens: 200}
		cost := price.Cost(u)
		return llm.Response{Text: text, Usage: u, Cost: &cost}, nil
	}
	var mu sync.Mutex
	var spent money.USD
	root := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		mu.Lock()
		spent += price.Cost(llm.Usage{InputTokens: 1000, OutputTokens: 200})
		mu.Unlock()
		return paid(cells("print(rlm_batch([f't{i}' for i in range(4)]))"))
	})
	limit := money.Dollar / 5
	res, err := play(t, context.Background(), setup{root: root, change: func(c *rlm.Config) {
		c.Budget, c.MaxDepth, c.MaxTurns, c.ChildTurns, c.RootTokens = llm.NewBudget(limit), 3, 4, 3, 500
		c.Redact = nil
	}, worker: func(context.Context, llm.Request) (llm.Response, error) { return paid("x") }})
	if err != nil {
		t.Fatal(err)
	}
	if res.Metrics.Children < 5 {
		t.Errorf("only %d children ran", res.Metrics.Children)
	}
	if cost := res.TotalCost(); cost == nil || *cost > limit {
		t.Errorf("%v spent of %v", cost, limit)
	}
}

func BenchmarkTurn(b *testing.B) {
	for b.Loop() {
		root := &runtest.Script{Replies: []string{cells("x = 1"), cells("x += 1"), cells("x += 1"), cells("x += 1"),
			cells(`set_answer("x")` + "\n#")}}
		if _, err := play(b, context.Background(), setup{root: root, dir: b.TempDir()}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/5, "ms/turn")
}

// BenchmarkThousandDispatches: 1,000 dispatches at 50 ms and concurrency 100 take 0.5 s in the ideal.
func BenchmarkThousandDispatches(b *testing.B) {
	slow := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
		return echo(ctx, r)
	}
	for _, c := range []struct {
		concurrency int
		capped      bool // with reservations in the journal
	}{{10, false}, {50, false}, {100, false}, {100, true}} {
		b.Run(fmt.Sprintf("concurrency-%d/capped-%v", c.concurrency, c.capped), func(b *testing.B) {
			for b.Loop() {
				root := &runtest.Script{Replies: []string{
					cells(`r = llm_batch([f"prompt {i} " + "x" * 2000 for i in range(1000)]); set_answer(str(len(r)))`),
				}}
				if _, err := play(b, context.Background(), setup{root: root, worker: slow, dir: b.TempDir(),
					change: func(config *rlm.Config) {
						if config.Concurrency = c.concurrency; c.capped {
							config.Budget = llm.NewBudget(1000 * money.Dollar)
						}
					}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)-50/float64(c.concurrency), "s-over-ideal")
		})
	}
}

// fullDisk is a trace file on a disk that is full after some bytes.
type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}
func (*fullDisk) Sync() error  { return nil }
func (*fullDisk) Close() error { return nil }

func TestAFullDiskEndsTheRunAndKeepsWhatIsInMemory(t *testing.T) {
	worker := &counted{}
	res, err := play(t, context.Background(), setup{files: manyFiles(12), root: &runtest.Script{Replies: reviewCells}, worker: worker.Complete,
		change: func(c *rlm.Config) {
			c.Trace, c.Concurrency = trace.NewWriter(&fullDisk{left: 12_000}, 0, time.Now, nil), 1
		}})
	if err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v", err)
	}
	if res.Status != trace.StatusPartial || len(res.Findings) < 2 || !strings.Contains(string(res.StopReason), "no space left") {
		t.Errorf("status %s (%s), %d findings", res.Status, res.StopReason, len(res.Findings))
	}
	if n := worker.total(); n > 11 {
		t.Errorf("%d dispatches were paid for although none could be recorded any more", n)
	}
}

// BenchmarkFiftyMegabytes opens a session on a codebase of 50 MB and looks at every line of it once.
func BenchmarkFiftyMegabytes(b *testing.B) {
	files := map[string]string{}
	for i := range 500 {
		files[fmt.Sprintf("src/f%03d.py", i)] = strings.Repeat(fmt.Sprintf("value_%03d = compute(%d)  # a line of ordinary length\n", i, i), 2000)
	}
	total := 0
	for _, text := range files {
		total += len(text)
	}
	b.SetBytes(int64(total))
	for b.Loop() {
		root := &runtest.Script{Replies: []string{cells("n = sum(t.count('\\n') for t in codebase.values())\nset_answer(f'{n} lines')")}}
		if res, err := play(b, context.Background(), setup{files: files, root: root, dir: b.TempDir()}); err != nil ||
			res.Analysis != "1000000 lines" {
			b.Fatalf("%q, %v", res.Analysis, err)
		}
	}
}

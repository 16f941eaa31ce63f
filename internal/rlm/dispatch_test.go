package rlm_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func TestCoverageCountsContentNotNames(t *testing.T) {
	got, res := outputs(t, setup{},
		`llm_query("please review " + ", ".join(codebase)); print(coverage()["fraction"])`,
		`llm_query("=== FILE: app/other.py (lines 1-6 of 6) ===\n" + codebase["app/other.py"]); print(coverage()["uncovered"])`)
	if got[0] != "0" {
		t.Errorf("naming files covered %s", got[0])
	}
	if got[1] != "['app/main.py']" {
		t.Errorf("uncovered %s", got[1])
	}
	if totals := res.Coverage.Totals(); totals.LinesDispatched != 6 || totals.LinesTotal != 15 {
		t.Errorf("totals %+v", totals)
	}
}

func TestAFailedDispatchIsAValueInItsPlace(t *testing.T) {
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if strings.Contains(r.Messages[0].Content, "bad") {
			return llm.Response{}, &llm.Error{Kind: llm.KindOverloaded, Status: 503, Message: "overloaded"}
		}
		return echo(ctx, r)
	}
	got, res := outputs(t, setup{worker: worker},
		`r = llm_batch(["a", "bad", "c"]); print(r[0], "|", r[1], "|", r[2], "|", type(r[1]).__mro__[1].__name__)`)
	if got[0] != "re: a | [dispatch failed] status 503: overloaded | re: c | str" {
		t.Errorf("got %q", got[0])
	}
	if res.Metrics.Dispatches != 3 || res.Metrics.DispatchErrors != 1 {
		t.Errorf("metrics %+v", res.Metrics)
	}
	want := []trace.Shortfall{{Code: trace.ShortFailed, Count: 1}}
	if res.Status != trace.StatusPartial || !slices.Equal(res.Shortfalls, want) {
		t.Errorf("status %s, shortfalls %v", res.Status, res.Shortfalls)
	}
}

func TestWhenNoWorkerAnswersTheReviewIsNotComplete(t *testing.T) {
	worker := func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{}, errors.New("connection refused")
	}
	_, res := outputs(t, setup{worker: worker}, `llm_batch(["a", "b"])`)
	if res.Status != trace.StatusPartial || !strings.Contains(string(res.StopReason), "connection refused") {
		t.Errorf("status %s (%s)", res.Status, res.StopReason)
	}
}

func TestTheSamePromptIsPaidForOnce(t *testing.T) {
	var calls atomic.Int64
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) { calls.Add(1); return echo(ctx, r) }
	_, res := outputs(t, setup{worker: worker}, `llm_batch(["same"] * 6 + ["other"])`, `llm_query("same")`)
	if calls.Load() != 2 || res.Worker.Calls != 2 || res.Worker.Cost != 14 || res.Metrics.CachedDispatches != 6 {
		t.Errorf("%d calls, usage %+v, metrics %+v", calls.Load(), res.Worker, res.Metrics)
	}
}

func TestConcurrencyIsKept(t *testing.T) {
	const most = 7
	var now, peak atomic.Int64
	var once sync.Once
	full := make(chan struct{})
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for before := peak.Load(); n > before && !peak.CompareAndSwap(before, n); before = peak.Load() {
		}
		if n == most {
			once.Do(func() { close(full) })
		}
		select { // however slow the machine is, all that may come in are awaited
		case <-full:
			time.Sleep(5 * time.Millisecond) // one that must not has this long
		case <-time.After(20 * time.Second):
		}
		return echo(ctx, r)
	}
	outputs(t, setup{worker: worker, change: func(c *rlm.Config) { c.Concurrency = most }}, `llm_batch([f"p{i}" for i in range(60)])`)
	if peak.Load() != most {
		t.Errorf("at most %d dispatches were in progress at once, want %d", peak.Load(), most)
	}
}

func TestSecretsDoNotLeaveTheMachine(t *testing.T) {
	var sent string
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		sent = r.Messages[0].Content
		return echo(ctx, r)
	}
	files := map[string]string{"conf.py": "A = 1\nKEY = 'hush'\nB = 2\n"}
	got, res := outputs(t, setup{files: files, worker: worker, change: func(c *rlm.Config) { c.Redact = hush{} }},
		`llm_query(codebase["conf.py"]); print(codebase["conf.py"])`)
	if strings.Contains(sent, "hush") || strings.Contains(got[0], "hush") {
		t.Errorf("sent %q, shown to the root %q", sent, got[0])
	}
	if res.Coverage.Fraction() != 1 {
		t.Errorf("redaction cost coverage: %v", res.Coverage.Fraction())
	}
}

type hush struct{}

func (hush) Redact(s string) (string, int) {
	return strings.ReplaceAll(s, "hush", "[REDACTED:test]"), strings.Count(s, "hush")
}

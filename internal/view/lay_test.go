package view_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
)

// The files of ordinary runs are laid as their writers lay them, from the writers' own types. Only what is hostile, torn, old
// or another program's is typed by hand.

// asJSON is a value as a file holds it.
func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return string(data)
}

// asLines are values as a file of lines holds them.
func asLines[T any](rows ...T) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(asJSON(r) + "\n")
	}
	return b.String()
}

// began is when all these runs began.
var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func manifest(command string) runfile.Manifest {
	return runfile.Manifest{Schema: rundir.Schema, ID: "x", Command: command, Version: "1", StartedAt: began}
}

// reviewOptions are what a review was asked for.
type reviewOptions = review.Options

// reviewOf is the manifest of a review.
func reviewOf(o reviewOptions) string {
	return asJSON(review.Manifest{Schema: rundir.Schema, ID: "x", Command: "analyze", Version: "1", StartedAt: began, Options: o})
}

// What most of these runs were asked for, and a review's outcome.
var (
	reviewManifest = reviewOf(reviewOptions{Path: "/p", Root: "a/b", Worker: "c/d"})
	evalManifest   = asJSON(eval.Manifest{Manifest: manifest("eval"),
		Options: eval.Options{Environment: "orchestration", Model: "a/b", Examples: 2, Rollouts: 2, Seed: 7}})
	trainManifest = asJSON(train.Manifest{Schema: rundir.Schema, ID: "x", Command: "train", Method: grpo.Method, Version: "1",
		StartedAt: began, Options: json.RawMessage(asJSON(grpo.Options{Environment: "orchestration", Steps: 3, LR: 0.001}))})
	reviewReport = asJSON(runfile.Report{Schema: report.Schema, Run: runfile.ReportRun{Status: trace.StatusCompleted, DurationS: 2.5},
		Coverage: runfile.ReportCoverage{Fraction: 0.75}, Findings: []runfile.Finding{{Severity: "low"}, {Severity: "high"}}})
)

// aRow is a line of an eval's results.
func aRow(example, rollout int, reward float64, change ...func(*runfile.EvalRow)) string {
	r := runfile.EvalRow{ExampleID: example, Rollout: rollout, Reward: runfile.Float(reward), StopCondition: "done",
		Info:       runfile.EvalInfo{Task: fmt.Sprint("t", example), Language: "go"},
		Metrics:    map[string]runfile.Float{"num_turns": runfile.Float(rollout + 1), "dispatches": 2},
		TokenUsage: &runfile.EvalTokens{Input: 10, Output: 5}, Cost: new(money.Dollar / 2),
		Timing: runfile.EvalTiming{Generation: runfile.EvalSpan{Duration: 1.5}}}
	for _, c := range change {
		c(&r)
	}
	return asLines(r)
}

// writeTrace writes the trace of a review, whose clock stands still.
func writeTrace(t testing.TB, dir string, events ...trace.Event) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, runfile.TraceName))
	if err != nil {
		t.Fatal(err)
	}
	w := trace.NewWriter(f, 0, func() time.Time { return began }, nil)
	for _, e := range events {
		if err := w.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

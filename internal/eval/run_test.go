package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func read(t *testing.T, parts ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRunLeavesRowsTracesAndSummary(t *testing.T) {
	o := options(t, 6, 3)
	out, err := Run(t.Context(), o, config(guesser))
	if err != nil {
		t.Fatal(err)
	}
	rows := bytes.Split(bytes.TrimSpace(read(t, o.Out, ResultsName)), []byte("\n"))
	if len(rows) != 18 || len(out.Results.Records()) != 18 {
		t.Fatalf("%d rows, %d records", len(rows), len(out.Results.Records()))
	}
	for i, text := range rows {
		var r map[string]any
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if r["example_id"] != float64(i/3) || r["rollout"] != float64(i%3) {
			t.Errorf("row %d is of example %v, rollout %v", i, r["example_id"], r["rollout"])
		}
		m := r["metrics"].(map[string]any)
		if m["guess_reward"] != r["reward"] || r["guess_reward"] != r["reward"] || m["num_turns"] == nil || r["num_turns"] != m["num_turns"] {
			t.Errorf("row %d: reward %v, metrics %v", i, r["reward"], m)
		}
		if r["error"] != nil || r["stop_condition"] != env.StopAnswer || len(r["completion"].([]any)) == 0 {
			t.Errorf("row %d: %v", i, r)
		}
	}
	traces := bytes.Split(bytes.TrimSpace(read(t, o.Out, TracesName)), []byte("\n"))
	if len(traces) != 18 {
		t.Fatalf("%d traces", len(traces))
	}
	var tr struct {
		ID     string
		Events []struct{ Kind, Key string }
	}
	if err := json.Unmarshal(traces[4], &tr); err != nil || tr.ID != "e00001.r001" || len(tr.Events) == 0 || tr.Events[0].Key != "t001" {
		t.Errorf("trace %+v, %v", tr, err)
	}
	var s runfile.EvalSummary
	if err := json.Unmarshal(read(t, o.Out, SummaryName), &s); err != nil {
		t.Fatal(err)
	}
	if s.Status != trace.StatusCompleted || s.Done != 18 || s.Reward.CI95 == nil || len(s.Tasks) != 6 || *s.ZeroDelegationRate != 1 {
		t.Errorf("summary %+v", s)
	}
	if _, err := os.Stat(filepath.Join(o.Out, rolloutsName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("journals are left: %v", err)
	}
}

func TestSameSeedSameRows(t *testing.T) {
	var files [][]byte
	for _, concurrency := range []int{1, 7} {
		o := options(t, 8, 2)
		o.Seed, o.Concurrency = 11, concurrency
		if _, err := Run(t.Context(), o, config(guesser)); err != nil {
			t.Fatal(err)
		}
		files = append(files, read(t, o.Out, ResultsName))
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same options gave different rows")
	}
	o := options(t, 8, 2)
	o.Seed = 12
	if _, err := Run(t.Context(), o, config(guesser)); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(files[0], read(t, o.Out, ResultsName)) {
		t.Error("another seed gave the same rows")
	}
}

// An interrupted eval continues where its journals end, asks for no received reply twice, and arrives at the same rows.
// Calls that were cut off without a reply are asked again: as many as were in progress, at most.
func TestInterruptAndResume(t *testing.T) {
	whole := options(t, 10, 2)
	if _, err := Run(t.Context(), whole, config(guesser)); err != nil {
		t.Fatal(err)
	}
	type counts struct{ asked, replies atomic.Int64 }
	counted := func(n *counts, after int64, cancel func()) llm.Func {
		return func(ctx context.Context, r llm.Request) (llm.Response, error) {
			n.asked.Add(1)
			response, err := guesser(ctx, r)
			if err == nil && n.replies.Add(1) == after {
				cancel() // in the middle of rollouts
			}
			return response, err
		}
	}
	var uninterrupted counts
	if _, err := Run(t.Context(), options(t, 10, 2), config(counted(&uninterrupted, -1, nil))); err != nil {
		t.Fatal(err)
	}
	for _, after := range []int64{1, 9, 33} {
		ctx, cancel := context.WithCancel(t.Context())
		var n counts
		o := options(t, 10, 2)
		o.Concurrency = 5
		out, err := Run(ctx, o, config(counted(&n, after, cancel)))
		var stopped *rundir.Stopped
		if !errors.As(err, &stopped) || !strings.Contains(stopped.Error(), "interrupted") ||
			!strings.Contains(stopped.Hint(), "deeprepo resume "+o.Out) {
			t.Fatalf("error %v", err)
		}
		if out.Summary.Status != trace.StatusPartial || stopped.Done != out.Summary.Done || stopped.Done >= 20 {
			t.Errorf("after %d calls: %+v", after, stopped)
		}
		out, err = Resume(t.Context(), o.Out, nil, func(Options) (Config, error) { return config(counted(&n, -1, nil)), nil })
		if err != nil || out.Summary.Status != trace.StatusCompleted {
			t.Fatalf("resume: %v", err)
		}
		if !bytes.Equal(read(t, whole.Out, ResultsName), read(t, o.Out, ResultsName)) {
			t.Errorf("interrupted after %d calls, the rows differ", after)
		}
		if a, b := n.replies.Load(), uninterrupted.replies.Load(); a != b {
			t.Errorf("interrupted after %d replies, %d came in all, %d to an uninterrupted eval", after, a, b)
		}
		if cut := n.asked.Load() - n.replies.Load(); cut > int64(o.Concurrency) {
			t.Errorf("interrupted after %d replies, %d calls had none: more than were under way", after, cut)
		}
	}
}

// A rollout whose model failed has an error row, is in no mean, and is played again by resume.
func TestErrorsAreNoZeros(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	flaky := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if broken.Load() && r.Messages[0].Content == "digit-002" && len(r.Messages) == 1 {
			return llm.Response{}, &llm.Error{Kind: llm.KindOverloaded, Status: 503, Message: "try later"}
		}
		return guesser(ctx, r)
	}
	o := options(t, 5, 2)
	out, err := Run(t.Context(), o, config(flaky))
	if err != nil {
		t.Fatal(err)
	}
	if out.Summary.Errors != 2 || out.Summary.Reward.N != 8 || out.Summary.ErrorNames[errorModel] != 2 {
		t.Errorf("summary %+v", out.Summary)
	}
	var block, detail bytes.Buffer
	if err := errors.Join(WriteBlock(&block, out.Header, out.Results), WriteDetail(&detail, out.Summary)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(block.String(), "errors: avg - 0.200, std - 0.400\n - ModelError: 1.000\n") ||
		!strings.Contains(block.String(), "None, ") {
		t.Errorf("block:\n%s", block.String())
	}
	if !strings.Contains(detail.String(), "Errors: 2 of 10 rollouts ended in an error (ModelError 2); no mean counts them") {
		t.Errorf("detail:\n%s", detail.String())
	}
	var meta struct {
		Reward  float64            `json:"avg_reward"`
		Error   float64            `json:"avg_error"`
		Metrics map[string]float64 `json:"avg_metrics"`
	}
	if err := json.Unmarshal(read(t, o.Out, MetadataName), &meta); err != nil || meta.Error != 0.2 ||
		meta.Reward != *out.Summary.Reward.Mean || meta.Metrics["guess_reward"] != meta.Reward {
		t.Errorf("metadata %+v, %v", meta, err)
	}
	var row map[string]any
	if err := json.Unmarshal(bytes.Split(read(t, o.Out, ResultsName), []byte("\n"))[4], &row); err != nil {
		t.Fatal(err)
	}
	if e, _ := row["error"].(map[string]any); row["reward"] != 0.0 || e["error"] != "ModelError" ||
		!strings.Contains(e["message"].(string), "try later") || row["stop_condition"] != env.StopError {
		t.Errorf("row %v", row)
	}

	broken.Store(false)
	if out, err = Resume(t.Context(), o.Out, nil, func(Options) (Config, error) { return config(flaky), nil }); err != nil ||
		out.Summary.Errors != 0 {
		t.Fatalf("resume: %v, %+v", err, out.Summary)
	}
	whole := options(t, 5, 2)
	if _, err := Run(t.Context(), whole, config(flaky)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, whole.Out, ResultsName), read(t, o.Out, ResultsName)) {
		t.Error("the rows differ from those without an outage")
	}
}

// A refused key ends the eval at once, with what helps against it.
func TestHopelessModelStopsTheEval(t *testing.T) {
	var calls atomic.Int64
	refused := func(context.Context, llm.Request) (llm.Response, error) {
		calls.Add(1)
		return llm.Response{}, &llm.Error{Kind: llm.KindAuth, Model: "openai/x", Status: 401, Message: "bad key"}
	}
	o := options(t, 500, 2)
	o.Concurrency = 1
	out, err := Run(t.Context(), o, config(refused))
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || !strings.Contains(err.Error(), "bad key") || llm.KindOf(err) != llm.KindAuth || stopped.Hint() == "" {
		t.Fatalf("error %v", err)
	}
	if n := calls.Load(); n != 1 || out.Summary.Reward.Mean != nil {
		t.Errorf("%d calls, reward %+v", n, out.Summary.Reward)
	}
}

// What fails every time is noticed before all rollouts were tried.
func TestEverythingFailing(t *testing.T) {
	var calls atomic.Int64
	down := func(context.Context, llm.Request) (llm.Response, error) {
		calls.Add(1)
		return llm.Response{}, &llm.Error{Kind: llm.KindOverloaded, Status: 503, Message: "down"}
	}
	o := options(t, 500, 2)
	o.Concurrency = 8
	_, err := Run(t.Context(), o, config(down))
	if err == nil || !strings.Contains(err.Error(), "all ended in an error") || calls.Load() > 15 { // eight that ended, seven beside the last
		t.Fatalf("%d calls, error %v", calls.Load(), err)
	}
}

func TestBadInputIsRefusedWithAHint(t *testing.T) {
	used := t.TempDir()
	if err := os.WriteFile(filepath.Join(used, "mine.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"no examples", func(o *Options) { o.Examples = 0 }, "0 examples"},
		{"no rollouts", func(o *Options) { o.Rollouts = -1 }, "-1 rollouts"},
		{"too many examples", func(o *Options) { o.Examples = 4 }, "3 such tasks, not 4"},
		{"unknown split", func(o *Options) { o.Split = "test" }, `no split "test"`},
		{"unknown strategy", func(o *Options) { o.Strategy = "magic" }, `no strategy "magic"`},
		{"a directory with files", func(o *Options) { o.Out = used }, "is not empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := options(t, 3, 1)
			tt.change(&o)
			c := config(guesser)
			c.Environment = guessing{size: 3}
			_, err := Run(t.Context(), o, c)
			if err == nil || !strings.Contains(err.Error(), tt.want) || hint.Of(err) == "" {
				t.Errorf("error %v", err)
			}
		})
	}
	o := options(t, 2, 1)
	if _, err := Run(t.Context(), o, config(guesser)); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), o, config(guesser)); err == nil || !strings.Contains(err.Error(), "already holds") {
		t.Errorf("the directory of another eval: %v", err)
	}
}

// What the environment cannot play at all is wrong usage, and leaves no directory behind.
func TestMisuseLeavesNothing(t *testing.T) {
	o := options(t, 20, 2)
	o.Strategy = env.StrategySingle
	out, err := Run(t.Context(), o, config(guesser))
	var stopped *rundir.Stopped
	if err == nil || errors.As(err, &stopped) || hint.Of(err) != "use rlm" || out.Dir != "" {
		t.Errorf("error %v, outcome %+v", err, out)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is left: %v", err)
	}
}

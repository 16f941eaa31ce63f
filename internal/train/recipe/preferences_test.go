package recipe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
	"github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/train/sft"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// brevity is a small environment of the tests' own: the reward is 1 less the length of what is written, in hundreds of
// bytes. A random policy writes until it is cut; one that ends its cells early earns more.
type brevity struct{ level bool }

func (brevity) Name() string { return "brevity" }

func (brevity) About() env.About {
	return env.About{Splits: []string{env.Train, env.Heldout}, Parts: []env.Weight{{Name: "brevity", Weight: 1}}, MaxTurns: 1}
}

func (brevity) Size(env.Selection) int { return 0 }

func (brevity) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	return env.Task{ID: fmt.Sprintf("%s-%d-%03d", s.Split, s.Seed, i), Split: s.Split,
		Codebase: codebase.FromMap(map[string]string{"a.py": "x = 1\n"})}, nil
}

func (b brevity) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	root, err := a.Root(nil)
	if err != nil {
		return env.Rollout{}, err
	}
	r := env.Rollout{Stop: env.StopAnswer, Turns: 1, Metrics: map[string]float64{}, Prompt: []llm.Message{{Role: llm.RoleUser, Content: t.ID}}}
	response, err := root.Model.Complete(ctx, llm.Request{Messages: r.Prompt, Tools: []llm.Tool{{Name: "execute_python"}}, Turn: true})
	if err != nil {
		return r, err
	}
	var cell struct{ Code string }
	if err := json.Unmarshal([]byte(response.ToolCalls[0].Arguments), &cell); err != nil {
		return r, err
	}
	if r.Reward = max(0, 1-float64(len(cell.Code))/100); b.level {
		r.Reward = 0.5
	}
	r.Completion = []llm.Message{{Role: llm.RoleAssistant, ToolCalls: response.ToolCalls}}
	return r, nil
}

// model writes a policy of some thousand parameters that knows nothing, and gives its directory.
func model(t *testing.T) string {
	t.Helper()
	tokenizer, err := bpe.Train(nil, 259, nano.Specials())
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: 1, Heads: 2, Hidden: 64, Context: 256}, 1)
	for i := range m.Params()[0].Data { // an adapter leaves the embedding as it is: with a small one it could change little
		m.Params()[0].Data[i] *= 4
	}
	dir := filepath.Join(t.TempDir(), "model")
	if err := checkpoint.WriteModel(dir, m, tokenizer, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func ladder(from string, sizes ...int) Options {
	return Options{Schema: schema, Method: dpo.Method, Environment: "brevity", From: from,
		DPO:     &DPO{Sizes: sizes, Pool: dpo.Pool{Heldout: 8, Gap: 0.05}, Train: dpo.Options{LR: 5e-3, Batch: 8, Epochs: 3}},
		Measure: Measure{Environment: "brevity", Tasks: 24, Rollouts: 1, Temperature: 1}}
}

func brief(out string, e brevity) Config {
	return Config{Environment: e, Demonstrated: e, Measured: e, Out: out}
}

// TestLadder trains on two numbers of pairs, is interrupted in each of its parts, and comes to the same end.
func TestLadder(t *testing.T) {
	from := model(t)
	whole, err := Run(t.Context(), ladder(from, 24, 96), brief(filepath.Join(t.TempDir(), "run"), brevity{}))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(whole.Ladder); n != 2 || whole.Gate == nil || whole.After == nil || whole.Test == nil || whole.Steps != 36 {
		t.Fatalf("%+v", whole)
	}
	for i, g := range whole.Ladder {
		if g.Pairs != []int{24, 96}[i] || g.After == nil || g.Test == nil || g.Status != trace.StatusCompleted || g.Tasks < 12 ||
			g.Gap < 0.05 || (g.Next != nil) != (i == 1) || g.Heldout == nil {
			t.Errorf("%+v", g)
		}
		if passed := g.Test.Diff > 0 && g.Test.PHolm <= 0.05; g.Passed != passed {
			t.Errorf("passed %v with %+.3f, p %v", g.Passed, g.Test.Diff, g.Test.PHolm)
		}
	}
	if last := whole.Ladder[1]; !last.Passed || !whole.Gate.Passed || last.Test.Diff < 0.1 {
		t.Errorf("with 96 pairs it earns %+.3f", last.Test.Diff)
	}
	for _, name := range []string{"base/config.json", "pairs/pairs.jsonl", "pairs-24/adapter/adapter_model.safetensors",
		"pairs-24/after/summary.json", "adapter/adapter_model.safetensors", "after/summary.json", train.ReportName} {
		if _, err := os.Stat(filepath.Join(whole.Run, name)); err != nil {
			t.Error(err)
		}
	}
	saved, err := report.Read(whole.Run)
	if err != nil || len(saved.Ladder) != 2 || !slices.ContainsFunc(saved.Caveats, func(c string) bool {
		return strings.Contains(c, "so more pairs also mean more steps")
	}) {
		t.Errorf("%v, %q", err, saved.Caveats)
	}
	var text strings.Builder
	if err := report.WriteText(&text, saved); err != nil || !strings.Contains(text.String(), "0 (base)") ||
		!strings.Contains(text.String(), "the gate says yes: with 96 pairs") {
		t.Errorf("%v: %s", err, text.String())
	}

	out, seen := filepath.Join(t.TempDir(), "run"), map[string]bool{}
	for {
		ctx, cancel := context.WithCancel(t.Context())
		c := brief(out, brevity{})
		stop := ""
		c.Observe = func(p Progress) {
			if !seen[p.Phase] && p.Done > 1 {
				seen[p.Phase], stop = true, p.Phase
				cancel()
			}
		}
		got, err := Run(ctx, ladder(from, 24, 96), c)
		cancel()
		if err == nil {
			wanted := []string{PhasePairs, PhaseBefore, "pairs-24", filepath.Join("pairs-24", train.AfterName), PhaseTraining, PhaseAfter}
			for _, phase := range wanted {
				if !seen[phase] {
					t.Errorf("%s was not seen", phase)
				}
			}
			plain := cmp.Options{cmpopts.IgnoreFields(runfile.TrainingRung{}, "Run", "Seconds", "After", "Test", "Next"), cmpopts.EquateNaNs()}
			if d := cmp.Diff(whole.Ladder, got.Ladder, plain); d != "" {
				t.Error(d)
			}
			for i, g := range got.Ladder {
				if g.Test.Diff != whole.Ladder[i].Test.Diff || *g.After.Reward.Mean != *whole.Ladder[i].After.Reward.Mean {
					t.Errorf("%d pairs: %+.4f, not %+.4f", g.Pairs, g.Test.Diff, whole.Ladder[i].Test.Diff)
				}
			}
			break
		}
		if s := (*rundir.Stopped)(nil); !errors.As(err, &s) || s.Dir != out || len(seen) > 9 {
			t.Fatalf("stopped in %s: %v", stop, err)
		}
	}
}

// TestNoPreferences has a training refuse what it cannot learn from, before it measures anything.
func TestNoPreferences(t *testing.T) {
	from, dir := model(t), t.TempDir()
	code := filepath.Join(dir, "code.jsonl")
	if err := os.WriteFile(code, []byte(`{"prompt":"p","chosen":"a","rejected":"b"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*Options)
		level  bool
		want   string
		left   bool // a directory, to continue with
	}{
		"equal rewards":  {level: true, want: "there are no pairs: all 192 rollouts earned 0.500", left: true, change: func(o *Options) { o.DPO.Pool.MaxTasks = 24 }},
		"programs":       {change: func(o *Options) { o.DPO.Pairs = code }, want: "the pair is of code"},
		"no file":        {change: func(o *Options) { o.DPO.Pairs = filepath.Join(dir, "none") }, want: "no such file"},
		"order":          {change: func(o *Options) { o.DPO.Sizes = []int{50, 20} }, want: "are not in order"},
		"twice":          {change: func(o *Options) { o.DPO.Sizes = []int{20, 20} }, want: "are not in order"},
		"no size":        {change: func(o *Options) { o.DPO.Sizes = []int{0} }, want: "a training on 0 pairs"},
		"option of dpo":  {change: func(o *Options) { o.DPO.Train.Norm = "x" }, want: `no norm "x"`},
		"option of pool": {change: func(o *Options) { o.DPO.Pool.Group = 1 }, want: "rollouts of a task: 1"},
	} {
		o, out := ladder(from, 20), filepath.Join(t.TempDir(), "run")
		c.change(&o)
		_, err := Run(t.Context(), o, brief(out, brevity{c.level}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(out); (err == nil) != c.left {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(out, train.BeforeName)); err == nil {
			t.Errorf("%s: it was measured", name)
		}
	}
}

// TestSizes has a ladder end where the pairs do.
// TestEightBits trains below an adapter in eight bits, and refuses what cannot be.
func TestEightBits(t *testing.T) {
	o := ladder(model(t), 24)
	o.Weights = Int8
	out := filepath.Join(t.TempDir(), "run")
	s, err := Run(t.Context(), o, brief(out, brevity{}))
	if err != nil || s.After == nil || s.Steps != 9 {
		t.Fatalf("%+v, %v", s, err)
	}
	lines, err := os.ReadFile(filepath.Join(out, train.MetricsName))
	var first runfile.TrainingStep
	if err != nil || json.Unmarshal(bytes.SplitN(lines, []byte("\n"), 2)[0], &first) != nil || first.Step != 1 {
		t.Fatal(string(lines), err)
	}
	if first.Margin != 0 { // an adapter that is new changes nothing
		t.Errorf("policy and reference differ by %g before anything was learnt: one of them computes in 32 bits", first.Margin)
	}
	if o.Weights = ""; s.Settings == o.settings() {
		t.Error("a run in 32 bits has the same settings")
	}
	for want, change := range map[string]func(o *Options){
		"no weights":         func(o *Options) { o.Weights = "int4" },
		"of a given model":   func(o *Options) { o.From = "" },
		"machines of a":      func(o *Options) { o.Fleet = "nats://hub:4222" },
		"a model this small": func(o *Options) { o.Method, o.DPO = sft.Method, nil },
	} {
		o := ladder(model(t), 24)
		o.Weights = Int8
		change(&o)
		_, err := Run(t.Context(), o, brief(filepath.Join(t.TempDir(), "run"), brevity{}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		pairs int
		want  []int
	}{{[]int{120, 500, 1000}, 2000, []int{120, 500, 1000}}, {[]int{120, 500, 1000}, 600, []int{120, 500, 600}},
		{[]int{120, 500, 1000}, 500, []int{120, 500}}, {nil, 70, []int{70}}, {[]int{120}, 7, []int{7}}} {
		if d := cmp.Diff(c.want, DPO{Sizes: c.sizes}.sizes(c.pairs)); d != "" {
			t.Errorf("%v of %d: %s", c.sizes, c.pairs, d)
		}
	}
}

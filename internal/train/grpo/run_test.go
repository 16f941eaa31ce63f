package grpo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// short are options of a run that is over at once.
func short() Options {
	o := quick()
	o.Steps, o.HeldoutEvery, o.Heldout = 6, 3, 8
	return o
}

// same compares what two runs came to: the metrics without their clocks, and the files bit for bit.
func same(t *testing.T, a, b Outcome) {
	t.Helper()
	clocks := cmpopts.IgnoreFields(runfile.TrainingStep{}, "TokensPerSecond", "Seconds", "PlaySeconds", "LearnSeconds", "HeldoutSeconds")
	if d := cmp.Diff(a.Steps, b.Steps, clocks); d != "" {
		t.Errorf("metrics: %s", d)
	}
	for _, name := range []string{train.CheckpointName, train.AdapterName + "/adapter_model.safetensors"} {
		x, err := os.ReadFile(filepath.Join(a.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if y, err := os.ReadFile(filepath.Join(b.Dir, name)); err != nil || string(x) != string(y) {
			t.Errorf("%s differs (%v)", name, err)
		}
	}
}

// TestSameWeights has neither the number of cores nor of rollouts at once change a bit.
func TestSameWeights(t *testing.T) {
	var first Outcome
	for i, c := range []Config{{Program: train.Program{Cores: 1}, Concurrency: 1}, {Program: train.Program{Cores: 3}, Concurrency: 50}} {
		c.Environment, c.Policy, c.Out = &letters{}, tiny(t), filepath.Join(t.TempDir(), "run")
		out, err := Run(t.Context(), short(), c)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = out
		} else {
			same(t, first, out)
		}
	}
}

// TestResume interrupts a run in the middle of a step, of a measurement, before the first step and after the last, and
// continues.
func TestResume(t *testing.T) {
	whole, err := Run(t.Context(), short(), Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "run")
	played, stops := 0, 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		until := 5 + 9*stops // rollouts: in the end more than a step has, so that the run comes on
		got, err := Run(ctx, short(), Config{Environment: &letters{}, Policy: tiny(t), Out: out, Played: func(int, int) {
			played++
			if until--; until == 0 {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			if stops < 5 || played < 250 {
				t.Errorf("it was stopped %d times, and played %d rollouts", stops, played)
			}
			same(t, whole, got)
			break
		}
		if s := (*rundir.Stopped)(nil); !errors.As(err, &s) || s.Total != 6 || !strings.Contains(s.Error(), "interrupted") || got.End != "" {
			t.Fatal(err)
		}
		if stops++; stops > 20 {
			t.Fatal("it does not come on")
		}
	}
	again, err := Run(t.Context(), short(), Config{Environment: &letters{}, Policy: tiny(t), Out: out})
	if err != nil {
		t.Fatal(err)
	}
	same(t, whole, again)
	other := short()
	other.LR *= 2
	if _, err := Run(t.Context(), other, Config{Environment: &letters{}, Policy: tiny(t), Out: out}); err == nil ||
		!strings.Contains(err.Error(), "other options") {
		t.Errorf("other options went on: %v", err)
	}
}

// TestRefill has tasks whose rollouts all earn the same be replaced, up to the bound.
func TestRefill(t *testing.T) {
	level := func(places ...int) func(env.Task, *env.Rollout) {
		return func(task env.Task, r *env.Rollout) {
			for _, p := range places {
				if strings.HasPrefix(task.ID, env.Train) && strings.HasSuffix(task.ID, fmt.Sprintf("-%03d", p)) {
					r.Reward = 0.5
				}
			}
		}
	}
	// A step may play 4 tasks and 3 more: the first those from 0 on, the second those from 7 on.
	for _, c := range []struct {
		name     string
		level    []int
		refilled []int
		dead     []float64
	}{
		{"none", nil, []int{0, 0}, []float64{0, 0}},
		{"one", []int{2}, []int{1, 0}, []float64{1. / 5, 0}},
		{"one, and its substitute", []int{2, 4}, []int{2, 0}, []float64{2. / 6, 0}},
		{"more than there are substitutes", []int{0, 1, 2, 3, 8}, []int{3, 1}, []float64{4. / 7, 1. / 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := short()
			o.Steps, o.Refill = 2, 3
			e := &letters{tamper: level(c.level...)}
			out, err := Run(t.Context(), o, Config{Environment: e, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range out.Steps[1:] {
				if s.Refilled != c.refilled[i] || math.Abs(s.DeadGroups-c.dead[i]) > 1e-9 || s.Rollouts != 8*(4+c.refilled[i]) {
					t.Errorf("step %d: %d refilled, %.2f dead, %d rollouts", s.Step, s.Refilled, s.DeadGroups, s.Rollouts)
				}
			}
		})
	}
}

// TestNothingToLearn has steps in which every group is dead leave the weights as they are.
func TestNothingToLearn(t *testing.T) {
	o := short()
	o.Refill = -1
	out, err := Run(t.Context(), o, Config{Environment: &letters{tamper: func(_ env.Task, r *env.Rollout) { r.Reward = 0.5 }},
		Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	last := out.Steps[len(out.Steps)-1]
	if last.DeadGroups != 1 || last.GradNorm != 0 || last.Loss != 0 || last.Rollouts != 32 || out.BestStep != 0 || out.Before != 0.5 {
		t.Errorf("%+v", last)
	}
	for _, p := range out.Adapter.Params() {
		if strings.Contains(p.Name, "lora_B") {
			for _, v := range p.Data {
				if v != 0 {
					t.Fatalf("%s has changed", p.Name)
				}
			}
		}
	}
}

// TestDropped has rollouts that the machine failed count nowhere.
func TestDropped(t *testing.T) {
	broken := errors.New("the sandbox is gone")
	some := func(fails func(n int) bool) func(env.Task, int64) error {
		seen := map[string]int{} // letters holds no lock while it asks, but plays one at a time here
		return func(task env.Task, seed int64) error {
			key := fmt.Sprint(task.ID, seed)
			seen[key]++
			if strings.HasPrefix(task.ID, env.Train) && fails(seen[key]) {
				return broken
			}
			return nil
		}
	}
	o := short()
	o.Steps, o.Refill = 2, -1
	out, err := Run(t.Context(), o, Config{Environment: &letters{fail: some(func(n int) bool { return n == 3 })}, Policy: tiny(t),
		Out: filepath.Join(t.TempDir(), "run"), Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range out.Steps[1:] {
		if s.Dropped != 4 || s.Rollouts != 28 || s.Reward < 0.15 {
			t.Errorf("step %d: %d dropped, %d rollouts, reward %.2f", s.Step, s.Dropped, s.Rollouts, s.Reward)
		}
	}
	_, err = Run(t.Context(), o, Config{Environment: &letters{fail: some(func(n int) bool { return n > 3 })}, Policy: tiny(t),
		Out: filepath.Join(t.TempDir(), "run"), Concurrency: 1})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "step 1: 20 of 32 rollouts failed") {
		t.Errorf("most rollouts failed: %v", err)
	}
	for name, tamper := range map[string]func(env.Task, *env.Rollout){
		"model failed":       func(_ env.Task, r *env.Rollout) { r.Stop, r.Error = env.StopError, "out of words" },
		"reward is a number": func(_ env.Task, r *env.Rollout) { r.Reward = math.NaN() },
	} {
		if _, err := Run(t.Context(), o, Config{Environment: &letters{tamper: tamper}, Policy: tiny(t),
			Out: filepath.Join(t.TempDir(), "run")}); err == nil || !strings.Contains(err.Error(), "step 0: 8 of 8 rollouts failed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStops has a run end when it brings nothing, and keep the best policy.
func TestStops(t *testing.T) {
	t.Run("patience", func(t *testing.T) {
		o := quick()
		o.Steps, o.HeldoutEvery, o.Patience = 40, 2, 3
		e := &letters{tamper: func(task env.Task, r *env.Rollout) {
			if strings.HasPrefix(task.ID, env.Heldout) {
				r.Reward = 0.25 // whatever it learns
			}
		}}
		out, err := Run(t.Context(), o, Config{Environment: e, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
		if err != nil || out.End != EndPatience || len(out.Steps) != 7 || out.BestStep != 0 {
			t.Errorf("%v, end %q after %d steps, best %d", err, out.End, len(out.Steps)-1, out.BestStep)
		}
	})
	t.Run("diverged", func(t *testing.T) {
		o := quick()
		o.LR, o.MaxKL, o.HeldoutEvery = 0.5, 0.5, 1
		out, err := Run(t.Context(), o, Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
		var d *Diverged
		if !errors.As(err, &d) || !strings.Contains(d.Why, "nats a token from its base") || d.Hint() == "" || out.End != EndDiverged ||
			out.Adapter == nil || d.Best != out.BestStep {
			t.Fatalf("%v, end %q", err, out.End)
		}
		if last := out.Steps[len(out.Steps)-1]; last.Step != d.Step-1 {
			t.Errorf("it diverged at step %d, and the last one kept is %d", d.Step, last.Step)
		}
	})
	t.Run("barren", func(t *testing.T) {
		o := quick()
		o.Barren = 3
		_, err := Run(t.Context(), o, Config{Environment: &letters{tamper: func(_ env.Task, r *env.Rollout) { r.Reward = 0 }}, Policy: tiny(t),
			Out: filepath.Join(t.TempDir(), "run")})
		var d *Diverged
		if !errors.As(err, &d) || d.Step != 3 || !strings.Contains(d.Why, "3 steps in a row earned nothing") {
			t.Fatal(err)
		}
	})
}

// TestSharedLuck has the rollouts of a group meet the same workers, and other tasks and other steps other ones; held-out
// rollouts are the same each time.
func TestSharedLuck(t *testing.T) {
	o := short()
	o.Steps, o.Refill = 3, -1
	e := &letters{}
	if _, err := Run(t.Context(), o, Config{Environment: e, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")}); err != nil {
		t.Fatal(err)
	}
	times, seeds := map[string]int{}, map[string]bool{}
	for _, p := range e.played {
		times[p]++
		task, seed, _ := strings.Cut(p, " ")
		if times[p] == 1 && seeds[seed] {
			t.Errorf("%s shares its luck with another task", task)
		}
		seeds[seed] = true
	}
	trained, heldout := 0, 0
	for p, n := range times {
		switch {
		case strings.HasPrefix(p, env.Train) && n == 8:
			trained++
		case strings.HasPrefix(p, env.Heldout) && n == 2: // before the first step and after the last
			heldout++
		default:
			t.Errorf("%s was played %d times", p, n)
		}
	}
	if trained != 3*4 || heldout != 8 {
		t.Errorf("%d tasks to learn from, %d held out", trained, heldout)
	}
}

// TestClosedSet trains where the tasks are few and none is held out, as in the reference environment.
func TestClosedSet(t *testing.T) {
	e := &letters{size: 3, splits: []string{env.Train}}
	if _, err := Run(t.Context(), short(), Config{Environment: e, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")}); err != nil {
		t.Fatal(err)
	}
	for _, p := range e.played {
		if !strings.HasPrefix(p, env.Train) || strings.Contains(p, "-003") {
			t.Fatalf("it played %s", p)
		}
	}
}

func TestMisuse(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"group of one":      {func(o *Options) { o.Group = 1 }, "nothing to compare"},
		"advantage":         {func(o *Options) { o.Advantage = "ppo" }, `no advantage "ppo"`},
		"temperature":       {func(o *Options) { o.Temperature = 3 }, "the temperature 3"},
		"rate":              {func(o *Options) { o.LR = math.NaN() }, "the learning rate NaN"},
		"KL":                {func(o *Options) { o.KL = -1 }, "the KL coefficient -1"},
		"minibatches":       {func(o *Options) { o.Minibatches = 9 }, "4 tasks do not make 9 minibatches"},
		"steps":             {func(o *Options) { o.Steps = -1 }, "steps: -1"},
		"rank":              {func(o *Options) { o.Rank = 257 }, "rank: 257 is not from 1 to 256"},
		"tasks":             {func(o *Options) { o.Tasks = 1 << 62 }, "tasks a step: 4611686018427387904"},
		"rollouts":          {func(o *Options) { o.Tasks, o.Group = 10_000, 10_000 }, "more than 1000000 rollouts a step"},
		"refill":            {func(o *Options) { o.Refill = 1 << 62 }, "more than 1000000 rollouts a step"},
		"held-out rollouts": {func(o *Options) { o.Heldout = 1 << 40 }, "held-out rollouts: 1099511627776"},
		"turns":             {func(o *Options) { o.MaxTurns = -1 }, "cannot be negative"},
		"lower clip beyond": {func(o *Options) { o.ClipLow = 1.5 }, "the lower clip 1.5"},
	} {
		o := short()
		c.change(&o)
		out := filepath.Join(t.TempDir(), "run")
		_, err := Run(t.Context(), o, Config{Environment: &letters{}, Policy: tiny(t), Out: out})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: it left a directory", name)
		}
	}
	policy := tiny(t)
	policy.Tokenizer = nil
	if _, err := Run(t.Context(), short(), Config{Environment: &letters{}, Policy: policy, Out: t.TempDir()}); err == nil {
		t.Error("a policy without a tokenizer was trained")
	}
	if _, err := Run(t.Context(), short(), Config{Environment: &letters{splits: []string{env.Heldout}}, Policy: tiny(t),
		Out: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no split") {
		t.Errorf("nothing to train on: %v", err)
	}
}

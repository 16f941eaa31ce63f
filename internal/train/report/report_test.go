package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

func number(v float64) *float64 { return &v }

// played is an eval's summary with the given means.
func playedAt(reward, std, turns, zero float64) *runfile.EvalSummary {
	return &runfile.EvalSummary{
		Status: trace.StatusCompleted, Environment: "orchestration", Split: env.Heldout, Examples: 64, Rollouts: 2, Planned: 128, Done: 128,
		Reward: runfile.EvalSpread{N: 128, Mean: &reward, Std: &std, Min: number(0), Max: number(min(1, reward+2*std)),
			CI95: &[2]float64{reward - 0.05, reward + 0.05}, CIHow: "t"},
		Metrics: map[string]runfile.EvalSpread{
			"num_turns":  {N: 128, Mean: &turns, Min: number(1), Max: number(20)},
			"dispatches": {N: 128, Mean: number(7.5), Min: number(0), Max: number(12)},
			"coverage":   {N: 128, Mean: &reward, Min: number(0), Max: number(1)},
		},
		ZeroDelegation:     &runfile.EvalShare{Count: int(128 * zero), Of: 128, Rate: zero, CI95: &[2]float64{max(0, zero-0.1), zero + 0.1}},
		ZeroDelegationRate: &zero,
		OverExploration:    &runfile.EvalShare{Count: 4, Of: 128, Rate: 4.0 / 128},
	}
}

// trained is a summary of a training that helped.
func trained(run string, seed int64, size string, parameters int, before, after float64) runfile.TrainingSummary {
	s := runfile.TrainingSummary{
		Schema: Schema, Run: run, Engine: "embedded", Method: "grpo", Status: trace.StatusCompleted, End: "steps", Steps: 100, BestStep: 90,
		Seed: seed,
		Size: size, Parameters: parameters, Trained: parameters / 6, Environment: "orchestration", Measured: "orchestration",
		Split: env.Heldout, Temperature: runfile.TrainingTemperature{Training: 1, Between: 0.7, Measured: 0.7},
		Before: playedAt(before, 0.25, 6.5, 0.25), After: playedAt(after, 0.05, 3, 0),
		BeforeCells: &runfile.TrainingCells{Cells: 600, Errors: 200, Syntax: 120},
		AfterCells:  &runfile.TrainingCells{Cells: 300, Errors: 6, Syntax: 3},
		Progression: Progression(climbing()), Settings: "s-" + size,
	}
	s.Test = &runfile.TaskTest{Base: "before", Other: "after", Words: "better: +0.400 over 64 tasks, p < 0.001",
		Comparison: stats.Comparison{Tasks: 64, Before: before, After: after, Diff: after - before, SD: 0.2, P: 0.0001, PT: 0.00005, MDE: 0.071,
			CI: stats.Interval{Lo: after - before - 0.05, Hi: after - before + 0.05, Level: 0.95, Method: "t"}, Verdict: stats.VerdictBetter},
		Bootstrap: stats.Interval{Lo: after - before - 0.04, Hi: after - before + 0.06, Level: 0.95, Method: "bca"}}
	Explain(&s)
	return s
}

// climbing are the steps of a training whose reward rises.
func climbing() []runfile.TrainingStep {
	var steps []runfile.TrainingStep
	for i := range 26 {
		s := runfile.TrainingStep{Step: i, Rollouts: 128, Reward: 0.4 + 0.02*float64(i), Turns: 6 - 0.1*float64(i),
			Dispatches:   4 + 0.2*float64(i),
			SyntaxErrors: 0.2 - 0.005*float64(i), KL: 0.002 * float64(i), Entropy: 0.3 - 0.005*float64(i), Loss: -0.01}
		if i%10 == 0 {
			s.Heldout = number(s.Reward + 0.05)
		}
		steps = append(steps, s)
	}
	return steps
}

func TestWriteText(t *testing.T) {
	var b strings.Builder
	if err := WriteText(&b, trained("runs/full", 1, "small", 915_712, 0.41, 0.81)); err != nil {
		t.Fatal(err)
	}
	runtest.Golden(t, "summary.txt", b.String())
}

// TestHostile: texts of files and models stay texts.
func TestHostile(t *testing.T) {
	evil := "<script>alert(1)</script>\x1b]0;x\x07|\n\u202e"
	s := trained(evil, 1, evil, 5, 0.1, 0.2)
	s.Method, s.Engine, s.Environment, s.End = evil, evil, evil, evil
	s.Before.Reward.CI95, s.Before.Reward.CIWhy = nil, evil
	s.After.Warning = evil
	s.Test.Words = evil
	Explain(&s)
	j, err := Join([]runfile.TrainingSummary{s, trained("b", 2, "small", 9, 0.1, 0.2)})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := WriteText(&text, s); err != nil {
		t.Fatal(err)
	}
	if err := j.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text.String(), "\x1b\x07\u202e") {
		t.Errorf("an escape reaches the terminal: %q", text.String())
	}
}

// TestEmpty: a summary of nothing is shown, and says so.
func TestEmpty(t *testing.T) {
	s := runfile.TrainingSummary{Schema: Schema, Method: "grpo", Run: "r"}
	Explain(&s)
	if len(s.Caveats) != 1 || !strings.Contains(s.Caveats[0], "nothing here says") {
		t.Errorf("caveats %q", s.Caveats)
	}
	var b bytes.Buffer
	if err := WriteText(&b, s); err != nil {
		t.Fatal(err)
	}
	if _, err := Join([]runfile.TrainingSummary{s}); err != nil {
		t.Fatal(err)
	}
	if _, err := Join(nil); err == nil {
		t.Error("no trainings were joined")
	}
}

// TestNothingMeasured: preferences between programs have no rewards and no gate, but alarms.
func TestNothingMeasured(t *testing.T) {
	s := runfile.TrainingSummary{Schema: Schema, Method: "dpo", Run: "r", Ladder: []runfile.TrainingRung{{Pairs: 49, Steps: 14,
		Status: trace.StatusCompleted, Alarms: []string{"the chosen sides fall"}}}}
	Explain(&s)
	var b bytes.Buffer
	if err := WriteText(&b, s); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"deeprepo code eval", "Alarm with 49 pairs: the chosen sides fall"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if strings.Contains(text, "Average Reward") || strings.Contains(text, "| no ") {
		t.Errorf("it tells of rewards, or of a gate:\n%s", text)
	}
}

func TestCaveats(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*runfile.TrainingSummary)
		want   string
	}{
		{"train split", func(s *runfile.TrainingSummary) { s.Split = env.Train }, "NOT held out"},
		{"another reward", func(s *runfile.TrainingSummary) { s.Environment = "orchestration-v1" }, "Trained by the reward of orchestration-v1, measured by that of orchestration"},
		{"diverged", func(s *runfile.TrainingSummary) { s.Status = trace.StatusDiverged }, "it diverged"},
		{"no gain", func(s *runfile.TrainingSummary) { s.BestStep = 0 }, "changes nothing"},
		{"ceiling", func(s *runfile.TrainingSummary) { s.After.Reward.Mean = number(0.99) }, "near the top of the scale"},
		{"errors", func(s *runfile.TrainingSummary) { s.After.Errors = 3 }, "3 of 128 rollouts after ended in an error"},
		{"all equal", func(s *runfile.TrainingSummary) { s.Before.Reward.CIHow = "all-equal" }, "All rewards before are equal"},
		{"a warning", func(s *runfile.TrainingSummary) { s.After.Warning = "it can be exploited" }, "it can be exploited"},
	} {
		s := trained("r", 1, "small", 1, 0.4, 0.8)
		Explain(&s)
		if strings.Contains(strings.Join(s.Caveats, "\n"), tt.want) {
			t.Errorf("%s: it stands there anyway", tt.name)
		}
		tt.change(&s)
		Explain(&s)
		if !strings.Contains(strings.Join(s.Caveats, "\n"), tt.want) {
			t.Errorf("%s: %q does not say %q", tt.name, s.Caveats, tt.want)
		}
	}
}

func TestProgression(t *testing.T) {
	steps := climbing()[1:] // 1 to 25
	var at []int
	for _, p := range Progression(steps) {
		at = append(at, p.Step)
	}
	if diff := cmp.Diff([]int{10, 20, 25}, at); diff != "" {
		t.Error(diff)
	}
	if Progression(nil) == nil {
		t.Error("no steps would be null in JSON")
	}
}

func TestJoin(t *testing.T) {
	runs := []runfile.TrainingSummary{
		trained("s1", 1, "small", 915_712, 0.40, 0.80), trained("s2", 2, "small", 915_712, 0.42, 0.86), trained("s3", 3, "small", 915_712, 0.44, 0.83),
		trained("m1", 1, "medium", 2_900_000, 0.50, 0.88),
	}
	j, err := Join(runs)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := j.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	runtest.Golden(t, "joint.txt", b.String())

	g := j.Groups[0]
	if diff := cmp.Diff([]int64{1, 2, 3}, g.Seeds); diff != "" {
		t.Error(diff)
	}
	// Over 0.80, 0.86, 0.83: mean 0.83, s 0.03, t(2) 4.303: 0.83 +- 0.0745.
	if ci := g.After.CI; ci.Lo < 0.7554 || ci.Lo > 0.7556 || ci.Hi < 0.9044 || ci.Hi > 0.9046 {
		t.Errorf("the interval over seeds is %v", ci)
	}
	data, err := json.Marshal(j)
	if err != nil || !json.Valid(data) {
		t.Errorf("no JSON: %v", err)
	}
}

// TestOneTrainingIsNotTwo: neither a run that is named twice nor a model of another size is a further seed.
func TestOneTrainingIsNotTwo(t *testing.T) {
	a, b := trained("a", 1, "small", 915_712, 0.4, 0.8), trained("b", 1, "small", 915_712, 0.4, 0.8)
	larger := trained("c", 2, "small", 2_900_000, 0.4, 0.9)
	a.Settings, b.Settings, larger.Settings = "same", "same", "same"
	j, err := Join([]runfile.TrainingSummary{a, b, larger})
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Groups) != 2 || len(j.Groups[0].Seeds) != 1 || len(j.Groups[1].Seeds) != 1 {
		t.Errorf("the groups are %+v", j.Groups)
	}
	if text := strings.Join(j.Caveats, "\n"); !strings.Contains(text, "a and b have the same settings and the seed 1") {
		t.Error(text)
	}
}

// TestOtherTasks: trainings that were measured on other tasks are not set side by side in silence.
func TestOtherTasks(t *testing.T) {
	a, b := trained("a", 1, "small", 1, 0.4, 0.8), trained("b", 2, "small", 1, 0.4, 0.8)
	b.After.Seed = new(int64(7))
	j, err := Join([]runfile.TrainingSummary{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(j.Caveats, "\n"); !strings.Contains(text, "a and b were not measured on the same tasks") {
		t.Error(text)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"none": "", "no JSON": "{", "of an eval": `{"schema":1,"environment":"x"}`,
		"of tomorrow": `{"schema":2,"method":"grpo"}`} {
		if data != "" {
			if err := os.WriteFile(filepath.Join(dir, train.SummaryName), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Read(dir)
		if err == nil || hint.Of(err) == "" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	want := trained("r", 1, "small", 1, 0.4, 0.8)
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, train.SummaryName), data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Test, got.Test); diff != "" {
		t.Error(diff)
	}
}

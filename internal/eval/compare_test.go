package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// saved writes a plain directory of verifiers with the given rewards (by example, then rollout) and reads it.
func saved(t *testing.T, name, model, meta string, rewards [][]float64) Saved {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i, group := range rewards {
		for _, r := range group {
			fmt.Fprintf(&rows, `{"example_id": %d, "reward": %v, "error": null, "stop_condition": "episode_done", `+
				`"metrics": {"delegation_reward": %v, "num_turns": 6.0}, "token_usage": {"input_tokens": 100.0, "output_tokens": 10.0}}`+"\n", i, r, r)
		}
	}
	text := fmt.Sprintf(`{"env_id": "deeprepo-orchestration", "model": %q, "num_examples": %d, "rollouts_per_example": 2%s}`, model,
		len(rewards), meta)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, ResultsName), []byte(rows.String()), 0o644),
		os.WriteFile(filepath.Join(dir, MetadataName), []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Metrics of rankings are compared one by one; others, and what only one eval has, are not.
func TestRankingsAreCompared(t *testing.T) {
	rows := func(name string, acc ...float64) Saved {
		s := saved(t, name, name, "", [][]float64{{1}})
		text := ""
		for i, v := range acc {
			text += fmt.Sprintf(`{"example_id": %d, "reward": 0.5, "error": null, "metrics": {"acc@1": %v, "%s@2": 1, `+
				`"num_turns": 6}}`+"\n", i, v, name)
		}
		if err := os.WriteFile(filepath.Join(s.Dir, ResultsName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Load(s.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	c, err := CompareSaved([]Saved{rows("a", 0, 0, 0, 1, 0, 1), rows("b", 1, 1, 0, 1, 1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Metrics) != 1 || c.Metrics[0].Name != "acc@1" || c.Metrics[0].Tasks != 6 || c.Metrics[0].Before != 1.0/3 ||
		c.Metrics[0].After != 5.0/6 || c.Metrics[0].Bootstrap.Lo > 0.5 || c.Metrics[0].Bootstrap.Hi < 0.5 {
		t.Errorf("%+v", c.Metrics)
	}
	var b bytes.Buffer
	if err := WriteComparison(&b, c); err != nil || !strings.Contains(b.String(), "| acc@1   | 6     | 0.333  | 0.833 | +0.500 ") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// The reference's own result: +0.2 over three tasks is too few to tell, which is what its report should have said.
func TestThreeTasksAreTooFewToTell(t *testing.T) {
	before := saved(t, "before", "base", "", [][]float64{{0.636, 0.887}, {0.9, 0.7}, {0.85, 0.738}})
	after := saved(t, "after", "trained", "", [][]float64{{0.962, 0.962}, {1, 1}, {1, 1}})
	c, err := CompareSaved([]Saved{before, after})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteComparison(&b, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| Average Reward       | 0.785 (σ 0.100)   | 0.987 (σ 0.018)   |",
		"| Reward Range         | 0.636 — 0.900     | 0.962 — 1.000     |",
		"| Average Turns        | 6.00 (6-6)",
		"| Zero-Delegation Rate | ?",
		"trained vs base: too few tasks to tell: +0.202 over 3 tasks, p 0.250 (3 tasks cannot give less than 0.25, whatever the rewards)",
		"6 tasks are the fewest that could show it",
		"they are paired by example number",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not said:\n%s", want, b.String())
		}
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

func TestVerdicts(t *testing.T) {
	base := make([][]float64, 12)
	better, noise, same := make([][]float64, 12), make([][]float64, 12), make([][]float64, 12)
	for i := range base {
		x := 0.3 + 0.02*float64(i)
		base[i] = []float64{x, x}
		better[i] = []float64{x + 0.2 + 0.01*float64(i%3), x + 0.2}
		noise[i] = []float64{x + 0.3*float64(i%2*2-1), x}
		same[i] = []float64{x + 0.004*float64(i%2*2-1), x}
	}
	evals := []Saved{saved(t, "a", "m", "", base), saved(t, "b", "m", "", better), saved(t, "c", "m", "", noise), saved(t, "d", "m", "", same)}
	c, err := CompareSaved(evals)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{stats.VerdictBetter, stats.VerdictTooSmall, stats.VerdictSame} {
		if c.Tests[i].Verdict != want {
			t.Errorf("%s: %s, want %s", c.Tests[i].Other, c.Tests[i].Words, want)
		}
	}
	if c.Tests[0].PHolm < 2*c.Tests[0].P || !strings.Contains(c.Tests[0].Words, "Holm, 3 comparisons") {
		t.Errorf("Holm: %+v", c.Tests[0])
	}
	var b bytes.Buffer
	if err := WriteComparison(&b, c); err != nil || !strings.Contains(b.String(), "m (b) vs m (a): better") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

func TestDifferentTasksAreNotPaired(t *testing.T) {
	r := [][]float64{{0.5, 0.5}, {0.6, 0.6}}
	base := saved(t, "base", "m", `, "env_args": {"seed": 1, "split": "train"}`, r)
	other := base
	other.Header.Environment = "gsm8k"
	tests := []struct {
		name  string
		other Saved
		want  string
	}{
		{"environment", other, "one is of deeprepo-orchestration, the other of gsm8k"},
		{"seed", saved(t, "seed", "m", `, "env_args": {"seed": 2, "split": "train"}`, r), "seed is 1 in one and 2 in the other"},
		{"rules", saved(t, "rules", "m", `, "env_args": {"seed": 1, "split": "train", "rules_version": 3}`, r), "rules_version is <nil> in one and 3"},
		{"shuffle", saved(t, "shuffle", "m", `, "env_args": {"seed": 1}, "shuffle": true, "shuffle_seed": 3`, r), "shuffled differently"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := CompareSaved([]Saved{base, tt.other})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !hint.Advises(err) {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := CompareSaved([]Saved{base, saved(t, "worker", "m", `, "env_args": {"seed": 1, "split": "train", "worker": "rules"}`,
		r)}); err != nil {
		t.Errorf("another worker: %v", err)
	}
	if _, err := CompareSaved([]Saved{base}); err == nil {
		t.Error("one eval was compared")
	}
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no eval") {
		t.Errorf("an empty directory: %v", err)
	}
}

// Our own directories say which tasks they hold: evals of different seeds are told apart even without their arguments.
func TestOwnEvalsCompare(t *testing.T) {
	play := func(seed int64) Saved {
		o := options(t, 5, 2)
		o.Seed = seed
		if _, err := Run(t.Context(), o, config(guesser)); err != nil {
			t.Fatal(err)
		}
		s, err := Load(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b, c := play(1), play(1), play(2)
	got, err := CompareSaved([]Saved{a, b})
	if err != nil || got.Tests[0].Diff != 0 || len(got.Notes) != 0 || got.Evals[0].ZeroDelegation == nil {
		t.Errorf("%v: %+v", err, got)
	}
	if _, err := CompareSaved([]Saved{a, c}); err == nil || !strings.Contains(err.Error(), "seed is 1 in one and 2 in the other") {
		t.Errorf("error %v", err)
	}
}

// An eval's directory may come from a stranger: a link out of it is not followed, and a pipe not waited for.
func TestLoadStaysInItsDirectory(t *testing.T) {
	theirs := saved(t, "theirs", "m", "", [][]float64{{1}})
	for _, name := range []string{MetadataName, ResultsName} {
		dir := t.TempDir()
		for _, other := range []string{MetadataName, ResultsName} {
			data, err := os.ReadFile(filepath.Join(theirs.Dir, other))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, other), data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Load(dir); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Remove(filepath.Join(dir, name)),
			os.Symlink(filepath.Join(theirs.Dir, name), filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); err == nil {
			t.Errorf("%s: a link that leads out of the directory was read", name)
		}
		if err := errors.Join(os.Remove(filepath.Join(dir, name)), os.Mkdir(filepath.Join(dir, name), 0o755)); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "no regular file") {
			t.Errorf("%s: a directory in its place: %v", name, err)
		}
	}
}

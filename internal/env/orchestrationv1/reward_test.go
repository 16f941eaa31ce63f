package orchestrationv1_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/google/go-cmp/cmp"
)

func TestGoldenRewards(t *testing.T) {
	tasks := mini(t)
	truths := map[string][]string{}
	for i := range tasks.Size(all) {
		task := taskAt(t, tasks, i)
		for _, d := range task.Defects {
			truths[task.ID] = append(truths[task.ID], d.Description)
		}
	}
	data, err := os.ReadFile(sharedData + "reward_v1_golden.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("reward_v1_golden.json is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Vectors []struct {
			ID, Task   string
			TotalFiles float64   `json:"total_files"`
			Truths     *[]string `json:"ground_truth_findings"`
			Dispatched []string
			Answer     string
			Turns      int
			Expected   struct {
				Unique                     int
				Findings                   []string
				Recall, Efficiency, Reward float64
			}
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Vectors) != 106 {
		t.Fatalf("%d vectors, want 106", len(golden.Vectors))
	}
	for _, v := range golden.Vectors {
		truth := truths[v.Task]
		if v.Truths != nil {
			truth = *v.Truths
		}
		slices.Sort(v.Dispatched)
		unique := len(slices.Compact(v.Dispatched))
		bullets := orchestrationv1.Bullets(v.Answer)
		if diff := cmp.Diff(append([]string{}, v.Expected.Findings...), append([]string{}, bullets...)); diff != "" ||
			unique != v.Expected.Unique {
			t.Errorf("%s: unique %d, want %d; bullets: %s", v.ID, unique, v.Expected.Unique, diff)
		}
		got := orchestrationv1.Parts{
			Coverage: orchestrationv1.Coverage(unique, v.TotalFiles), Recall: orchestrationv1.Recall(bullets, truth),
			Efficiency: orchestrationv1.Efficiency(v.Turns),
		}
		for name, pair := range map[string][2]float64{
			"recall": {got.Recall, v.Expected.Recall}, "efficiency": {got.Efficiency, v.Expected.Efficiency},
			"reward": {got.Reward(), v.Expected.Reward},
		} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-9) {
				t.Errorf("%s: %s %v, want %v", v.ID, name, pair[0], pair[1])
			}
		}
	}
}

// published is a reward of the reference results and the one (files, findings, turns) that gives it. numTurns is the published one: one
// more than was played.
type published struct {
	task                               string
	files, of, found, truths, numTurns int
	reward                             string
}

// The rollouts of rl_training_eval_results.md, in the order of its lines r1 and r2.
var (
	untrained = []published{
		{"mini-todo-api", 6, 7, 5, 8, 18, "0.636"},
		{"mini-calculator", 7, 7, 4, 6, 5, "0.900"},
		{"mini-blog", 6, 6, 4, 8, 5, "0.850"},
		{"mini-todo-api", 7, 7, 5, 8, 7, "0.887"},
		{"mini-calculator", 7, 7, 0, 6, 9, "0.700"},
		{"mini-blog", 6, 6, 1, 8, 8, "0.738"},
	}
	trained = []published{
		{"mini-todo-api", 7, 7, 7, 8, 6, "0.962"},
		{"mini-calculator", 7, 7, 6, 6, 6, "1.000"},
		{"mini-blog", 6, 6, 8, 8, 6, "1.000"},
		{"mini-todo-api", 7, 7, 7, 8, 6, "0.962"},
		{"mini-calculator", 7, 7, 6, 6, 6, "1.000"},
		{"mini-blog", 6, 6, 8, 8, 6, "1.000"},
	}
	// Of the 8B model only the lowest reward was published: that of a rollout without a dispatch.
	nothing = published{"mini-todo-api", 0, 7, 0, 8, 3, "0.200"}
)

func (p published) parts() orchestrationv1.Parts {
	return orchestrationv1.Parts{
		Coverage:   orchestrationv1.Coverage(p.files, float64(p.of)),
		Recall:     float64(p.found) / float64(p.truths),
		Efficiency: orchestrationv1.Efficiency(p.numTurns - 1),
	}
}

func TestPublishedRewards(t *testing.T) {
	three := func(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) } // exact, as Python rounds
	for name, run := range map[string]struct {
		rollouts []published
		avg, std string
		turns    string
		turnsStd string
	}{
		"untrained": {untrained, "0.785", "0.100", "8.667", "4.422"},
		"trained":   {trained, "0.987", "0.018", "6.000", "0.000"},
	} {
		var rewards, turns []float64
		for _, p := range run.rollouts {
			reward := p.parts().Reward()
			if three(reward) != p.reward {
				t.Errorf("%s: %s %d/%d files, %d/%d findings, num_turns %d: %v, want %s", name, p.task, p.files, p.of, p.found, p.truths, p.numTurns,
					reward, p.reward)
			}
			rewards, turns = append(rewards, reward), append(turns, float64(p.numTurns))
		}
		avg, std := spread(rewards)
		avgTurns, stdTurns := spread(turns)
		got := []string{three(avg), three(std), three(avgTurns), three(stdTurns)}
		if diff := cmp.Diff([]string{run.avg, run.std, run.turns, run.turnsStd}, got); diff != "" {
			t.Errorf("%s: averages and deviations: %s", name, diff)
		}
	}
	if got := three(nothing.parts().Reward()); got != nothing.reward {
		t.Errorf("a rollout that did nothing: %s, want %s", got, nothing.reward)
	}
}

// spread is the mean and the standard deviation of a whole population.
func spread(xs []float64) (mean, deviation float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		deviation += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, math.Sqrt(deviation)
}

func TestBullets(t *testing.T) {
	answer := "# Report\n- short\n-  ten chars.\n- eleven char\n  * indented bullet point\n•no space after it\n• • -* nested marks and " +
		"more\n" +
		"1. numbered items do not count\n+ plus signs do not count\n\u00a0- a no-break space before\u3000\n- \x1c\x1d separators are " +
		"stripped\n-- two dashes are no mark\r\n- carriage return\r"
	want := []string{
		"eleven char", "indented bullet point", "nested marks and more", "a no-break space before", "separators are stripped", "carriage return",
	}
	if diff := cmp.Diff(want, orchestrationv1.Bullets(answer)); diff != "" {
		t.Error(diff)
	}
}

func TestRecall(t *testing.T) {
	truths := []string{"Hardcoded SECRET_KEY in app.py", "Tests are empty stubs"}
	for _, c := range []struct {
		bullets, truths []string
		want            float64
	}{
		{nil, nil, 0.5},
		{[]string{"anything"}, []string{}, 0.5},
		{nil, truths, 0},
		{[]string{"completely unrelated words"}, truths, 0},
		{[]string{"hardcoded secret_key IN APP.PY"}, truths, 0.5},
		{[]string{"hardcoded secret key in app", "tests are empty", "tests are empty"}, truths, 1},
		{[]string{"Tests are empty stubs"}, []string{truths[1], truths[1]}, 1}, // each truth for itself
	} {
		if got := orchestrationv1.Recall(c.bullets, c.truths); got != c.want {
			t.Errorf("Recall(%q, %q) = %v, want %v", c.bullets, c.truths, got, c.want)
		}
	}
}

func TestEfficiencyAndCoverage(t *testing.T) {
	for turns, want := range map[int]float64{0: 1, 8: 1, 9: 1 - 1.0/14, 15: 0.5, 16: 0.1, 20: 0.1} {
		if got := orchestrationv1.Efficiency(turns); got != want {
			t.Errorf("Efficiency(%d) = %v, want %v", turns, got, want)
		}
	}
	for _, c := range []struct {
		unique int
		total  float64
		want   float64
	}{{0, 7, 0}, {3, 6, 0.5}, {9, 7, 1}, {1, 0, 1}, {1, -3, 1}, {1, 2.5, 0.4}} {
		if got := orchestrationv1.Coverage(c.unique, c.total); got != c.want {
			t.Errorf("Coverage(%d, %v) = %v, want %v", c.unique, c.total, got, c.want)
		}
	}
	if got := (orchestrationv1.Parts{Coverage: 1, Recall: 1, Efficiency: 1}).Reward(); got != 1 {
		t.Errorf("everything earns %v", got)
	}
}

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
)

// The pages of evals, benches and trainings.

// randomly is an eval of the same tasks as evaluated, by a policy that guesses.
func randomly(t *testing.T) string {
	t.Helper()
	return run(t, "random-eval", func(dir string) {
		must(t, world, nil, "eval", "orchestration", "-m", "policy/random", "-n", "4", "-r", "2", "--seed", "7", "--out", dir)
	})
}

// read reads a JSON file of a run.
func read[T any](t *testing.T, dir, name string) T {
	t.Helper()
	var v T
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type spread struct {
	Mean float64    `json:"mean"`
	CI   [2]float64 `json:"ci95"`
}

// rows is how many rows a table of that name shows.
func rows(p *Page, name string) int {
	return p.Count(fmt.Sprintf("table[aria-label=%q] tbody tr", name))
}

// choose selects an option of a select by its value, as the menu would.
func choose(p *Page, selector, value string) {
	p.t.Helper()
	p.WaitFor(selector + " option[value=" + quote(value) + "]")
	p.Eval(fmt.Sprintf(`(() => { const s = document.querySelector(%s); s.value = %s; `+
		`s.dispatchEvent(new Event("change", {bubbles: true})); })()`, quote(selector), quote(value)), nil)
}

func TestEvalPage(t *testing.T) {
	dir := evaluated(t)
	p := open(t, dir)
	p.Go("eval")
	sum := read[struct{ Reward spread }](t, dir, "summary.json")
	p.Wait(fmt.Sprintf("%.3f", sum.Reward.Mean), fmt.Sprintf("[%.3f, %.3f]", sum.Reward.CI[0], sum.Reward.CI[1]), "Parts of the reward",
		"detection", "policy/honest", "4 × 2")
	if n := p.Count("svg.reward-grid rect"); n != 8 {
		t.Errorf("%d squares for 8 rollouts", n)
	}
	if n := rows(p, "Rollouts"); n != 8 {
		t.Errorf("%d rows for 8 rollouts", n)
	}
	choose(p, "section[aria-label=Rollouts] select", "none")
	p.Until("no rollout of reward 0", "!document.querySelector('table[aria-label=Rollouts] tbody tr')")
	if hash := p.Hash(); !strings.Contains(hash, "reward=none") {
		t.Errorf("the filter is not in the address: %s", hash)
	}
	choose(p, "section[aria-label=Rollouts] select", "")
	p.Type("section[aria-label=Rollouts] input", "000002")
	p.Until("the rollouts of one task", "document.querySelectorAll('table[aria-label=Rollouts] tbody tr').length === 2")
	p.Reload()
	p.Until("the same after a reload", "document.querySelectorAll('table[aria-label=Rollouts] tbody tr').length === 2")
	p.Click("table[aria-label=Rollouts] tbody tr td")
	p.Until("the rollout's page", "location.hash.endsWith('/eval/rollout/4')")
	p.Wait("5 of 8", "What was planted", "Ended by")
	p.Shot("eval-rollout")
	p.Key("n")
	p.Until("the next rollout", "location.hash.endsWith('/eval/rollout/5')")
	p.Wait("6 of 8")
	p.Key("p")
	p.Wait("5 of 8")
	p.ClickText("Turns")
	p.Until("the turns", "location.hash.endsWith('/eval/rollout/4/turns')")
	p.Wait("dispatches", "errors only")
	p.Key("n")
	p.Until("the next rollout's turns", "location.hash.endsWith('/eval/rollout/5/turns')")
	p.Key("u")
	p.Until("all rollouts", "location.hash.endsWith('/eval')")
	p.WaitFor("table[aria-label=Rollouts] tbody tr")
	p.Key("j")
	p.WaitFor("table[aria-label=Rollouts] tbody tr.selected")
	p.Key(kb.Enter)
	p.Until("a rollout by keyboard", "location.hash.endsWith('/eval/rollout/0')")
}

func TestEvalsCompared(t *testing.T) {
	honest, random := evaluated(t), randomly(t)
	p := openList(t, filepath.Join(world, "runs"))
	p.run = view.ID(honest)
	p.Go("eval")
	choose(p, "main label select", view.ID(random))
	var printed struct {
		Evals       []struct{ Reward spread }
		Comparisons []struct{ Words string }
	}
	if err := json.Unmarshal([]byte(must(t, world, nil, "eval", "compare", random, honest, "--json")), &printed); err != nil {
		t.Fatal(err)
	}
	p.Wait(printed.Comparisons[0].Words, fmt.Sprintf("%.3f", printed.Evals[0].Reward.Mean), fmt.Sprintf("%.3f", printed.Evals[1].Reward.Mean))
	p.Shot("eval-compare")
	if n := rows(p, "Tasks"); n != 4 {
		t.Errorf("%d tasks of 4", n)
	}
	choose(p, "section[aria-label=Tasks] select", "worse")
	p.Until("no task that got worse", "!document.querySelector('table[aria-label=Tasks] tbody tr')")
	choose(p, "section[aria-label=Tasks] select", "")
	p.Click("table[aria-label=Tasks] tbody tr td")
	p.Wait("turn by turn")
	p.Until("two rollouts with their cells",
		"document.querySelectorAll('.side-turn').length > 1 && document.querySelectorAll('.side-cell .code, .side-cell pre').length > 1")
	p.Until("nothing that waits", "!document.querySelector('.side .loading')")
	p.Shot("eval-side-by-side")
	p.ClickText("Swap")
	p.Until("the other way round", "location.hash.startsWith('#/run/"+view.ID(random)+"/eval/compare/"+view.ID(honest)+"')")
	p.Wait("worse")
}

func TestBenchPage(t *testing.T) {
	dir := benched(t)
	p := open(t, dir)
	p.Go("bench")
	p.Wait("Results at a glance", "Every run cost $0.00", "How the figures are made") // there is no axis of nothing but $0
	bench := read[struct {
		Rows []struct {
			Config  string
			Quality *float64
			Grade   string
			Runs    []struct{ Dir string }
		}
	}](t, dir, "bench.json")
	for _, row := range bench.Rows {
		p.Wait(row.Config)
		if row.Quality != nil {
			p.Wait(fmt.Sprintf("%s (%.2f)", row.Grade, *row.Quality))
		}
	}
	if n := rows(p, "Runs"); n != 4 {
		t.Errorf("%d runs of 4", n)
	}
	p.Click("table[aria-label=Runs] tbody a")
	p.Until("the review's own page", "location.hash === '#/run/"+view.ID(filepath.Join(dir, bench.Rows[0].Runs[0].Dir))+"'")
	p.Wait("Findings")
}

func TestTrainingPage(t *testing.T) {
	dir := trained(t)
	p := open(t, dir)
	p.Go("training")
	sum := read[struct {
		Before, After struct{ Reward spread }
		Test          struct{ Words string }
		Caveats       []string
		BestStep      int `json:"best_step"`
	}](t, dir, "summary.json")
	p.Wait(sum.Test.Words, fmt.Sprintf("%.3f", sum.Before.Reward.Mean), fmt.Sprintf("%.3f", sum.After.Reward.Mean),
		fmt.Sprintf("kept: step %d", sum.BestStep), "Divergence from the base")
	for _, caveat := range sum.Caveats {
		p.Wait(caveat)
	}
	p.ClickText("All steps in a table")
	p.Until("a row a step", "document.querySelectorAll('table[aria-label=Steps] tbody tr').length === 21")
	p.ClickText("imitation (sft)")
	p.Wait("of the lessons")
	p.Until("the stage in the address", "location.hash.includes('stage=sft')")
}

// A training at work: its steps come while the page is open, and only what is new is asked for.
func TestTrainingAtWork(t *testing.T) {
	dir := copied(t, trained(t))
	for _, name := range []string{"summary.json", "metrics.jsonl"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	steps, err := os.ReadFile("testdata/training/metrics.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(steps), "\n")
	runtest.WriteFile(t, filepath.Join(dir, "metrics.jsonl"), strings.Join(lines[:5], ""))
	p := open(t, dir)
	p.Go("training?steps=table")
	p.Until("the first steps", "document.querySelectorAll('table[aria-label=Steps] tbody tr').length === 5")
	f, err := os.OpenFile(filepath.Join(dir, "metrics.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for n := 5; n < 8; n++ {
		if _, err := f.WriteString(lines[n]); err != nil {
			t.Fatal(err)
		}
		p.Until(fmt.Sprintf("step %d", n), fmt.Sprintf("document.querySelectorAll('table[aria-label=Steps] tbody tr').length === %d", n+1))
	}
	var asked []string
	p.Eval(`performance.getEntriesByType("resource").map(e => e.name).filter(n => /training\/[1-9]/.test(n))`, &asked)
	if len(asked) == 0 {
		t.Error("all steps were asked for again and again")
	}
}

package view_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/training"
	"github.com/google/go-cmp/cmp"
)

var (
	grpoSteps = asLines(runfile.TrainingStep{Rollouts: 4, Heldout: new(0.25)},
		runfile.TrainingStep{Step: 1, Loss: 0.5, Tokens: 10, Rollouts: 8, Reward: 0.125, KL: 0.5},
		runfile.TrainingStep{Step: 2, Loss: 0.25, Tokens: 10, Rollouts: 8, Heldout: new(0.5)})
	dpoStep = asLines(runfile.TrainingStep{Step: 1, Loss: 0.69, Pairs: 8, ChosenLogP: -3,
		HeldoutPairs: &runfile.TrainingPairwise{Pairs: 4, Margin: 0.5, Accuracy: 1}})
)

func TestTrainingUnderWay(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": trainManifest, "metrics.jsonl": grpoSteps, "sft/metrics.jsonl": dpoStep,
		"pairs-120/metrics.jsonl": dpoStep, "pairs-20/metrics.jsonl": dpoStep,
		"other/metrics.jsonl": dpoStep, "pairs/metrics.jsonl": ""})
	document := get[training.TrainingDoc](t, dir, "training")
	asked := doc.Facts("environment", "orchestration", "lr", "0.001", "steps", "3")
	document.Asked = slices.DeleteFunc(document.Asked, func(f doc.Fact) bool { return !slices.Contains(asked, f) })
	want := `{"method":"grpo","asked":` + asJSON(asked) + `,"stages":[{"name":"sft","method":"sft","steps":1},` +
		`{"name":"pairs-20","method":"dpo","steps":1},{"name":"pairs-120","method":"dpo","steps":1},` +
		`{"name":"","method":"grpo","steps":3}],"summary":null,"planned":3}`
	if d := cmp.Diff(want, asJSON(document)); d != "" {
		t.Error(d)
	}
	// What a step leaves out is 0 where it had rollouts, and unknown where it had not.
	want = `{"total":3,"from":0,"step":[0,1,2],"columns":{` + strings.Join([]string{
		`"batching":[0,0,0]`, `"cell_errors":[0,0,0]`, `"clip_fraction":[0,0,0]`, `"coverage":[0,0,0]`, `"cut":[0,0,0]`, `"dead_groups":[0,0,0]`, `"dispatches":[0,0,0]`,
		`"dropped":[0,0,0]`, `"entropy":[0,0,0]`, `"grad_norm":[0,0,0]`, `"heldout":[0.25,null,0.5]`, `"kl":[0,0.5,0]`, `"learn_seconds":[0,0,0]`, `"loss":[0,0.5,0.25]`, `"lr":[0,0,0]`,
		`"over_explored":[0,0,0]`, `"play_seconds":[0,0,0]`, `"refilled":[0,0,0]`, `"reward":[0,0.125,0]`, `"reward_std":[0,0,0]`, `"rollouts":[4,8,8]`, `"seconds":[0,0,0]`,
		`"syntax_errors":[0,0,0]`, `"tokens":[0,10,10]`, `"tokens_per_second":[0,0,0]`, `"turns":[0,0,0]`, `"zero_delegation":[0,0,0]`,
	}, ",") + `}}`
	if d := cmp.Diff(want, asJSON(get[training.TrainingSteps](t, dir, "training/0"))); d != "" {
		t.Error(d)
	}
	if s := get[training.TrainingSteps](t, dir, "training/2"); s.From != 2 || s.Total != 3 || len(s.Step) != 1 || s.Step[0] != 2 ||
		s.Columns["heldout"][0] != 0.5 {
		t.Errorf("%+v", s)
	}
	if s := get[training.TrainingSteps](t, dir, "training/3"); len(s.Step) != 0 || s.Total != 3 {
		t.Errorf("%+v", s)
	}
	s := get[training.TrainingSteps](t, dir, "training/pairs-20/0")
	if s.Columns["heldout_pairs.margin"][0] != 0.5 || s.Columns["chosen_logp"][0] != -3 || s.Columns["margin"][0] != 0 ||
		s.Columns["reward"] != nil {
		t.Errorf("%s", asJSON(s))
	}
	for _, path := range []string{"training/4", "training/-1", "training/x", "training/other/0", "training/../0", "training/sft/x",
		"training/sft/0/0", "training/pairs-9/0", "training//0"} {
		var known *doc.Error
		if _, err := open(t, dir).Get(path); !errors.As(err, &known) || known.Status != 404 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A training of several parts has only a plan while its first part is at work.
func TestTrainingThatIsOnlyPlanned(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"plan.json": asJSON(recipe.Options{Schema: 1, Method: grpo.Method,
		GRPO: &grpo.Options{Steps: 100}}), "sft/metrics.jsonl": asLines(runfile.TrainingStep{Step: 1, Loss: 5}) + `{"step":2,"lo`})
	document := get[training.TrainingDoc](t, dir, "training")
	if document.Method != "grpo" || document.Planned != 100 || len(document.Stages) != 1 ||
		document.Stages[0] != (training.TrainingStage{Name: "sft", Method: "sft", Steps: 1}) {
		t.Errorf("%+v", document)
	}
}

func TestTrainingThatIsDone(t *testing.T) {
	mean := func(v float64) runfile.EvalSpread {
		return runfile.EvalSpread{N: 2, Mean: &v, CI95: &[2]float64{0.25, 0.75}}
	}
	eval := &runfile.EvalSummary{Schema: 1, Status: trace.StatusCompleted, Environment: "e", Done: 2, Reward: mean(0.5),
		Metrics: map[string]runfile.EvalSpread{"num_turns": mean(3)}, Tasks: []runfile.EvalTask{{Task: "t", Mean: new(0.5)}}}
	test := &runfile.TaskTest{Words: "w", Bootstrap: stats.Interval{Lo: 0.1, Hi: 0.4, Level: 0.95},
		Comparison: stats.Comparison{Tasks: 1, Before: 0.25, After: 0.5, Diff: 0.25, P: 0.5, Verdict: "v",
			CI: stats.Interval{Lo: math.NaN(), Hi: math.NaN(), Level: 0.95, Why: "one task"}}}
	dir := runtest.Tree(t, map[string]string{"run.json": trainManifest, "summary.json": asJSON(runfile.TrainingSummary{
		Schema: 1, Method: "dpo", Status: trace.StatusCompleted, Before: eval, After: eval, Test: test,
		Ladder: []runfile.TrainingRung{{Pairs: 20, After: eval, Test: test}}, Gate: &runfile.TrainingGate{Passed: true, Words: "yes"}})})
	s := get[training.TrainingDoc](t, dir, "training").Summary
	if s == nil || s.Method != "dpo" || len(s.Before.Tasks) != 1 || *s.Before.Reward.Mean != 0.5 || s.Test.CI.OK() ||
		s.Test.CI.Why != "one task" || s.Test.Bootstrap.Hi != 0.4 || !s.Gate.Passed {
		t.Fatalf("%+v", s)
	}
	if r := s.Ladder[0]; len(r.After.Tasks) != 0 || r.Alarms == nil || r.Test.Words != "w" || s.Caveats == nil || s.Progression == nil {
		t.Errorf("%+v", r)
	}
	for _, text := range []string{"{", `{"method":""}`, `[]`, `{"method":3}`} {
		document := get[training.TrainingDoc](t, runtest.Tree(t, map[string]string{"run.json": trainManifest, "summary.json": text,
			"metrics.jsonl": grpoSteps}), "training")
		if document.Problem == "" || document.Summary != nil || len(document.Stages) != 1 {
			t.Errorf("%s: problem %q", text, document.Problem)
		}
	}
}

// What an old file does not say of an interval is unknown, never an interval of no width.
func TestAbsentIntervalsAreNull(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": asJSON(manifest("bench")),
		"bench.json": `{"rows":[{"truth":{"total":1}}],"tests":[{"a":"x"}]}`})
	if text := asJSON(get[runfile.Bench](t, dir, "bench")); strings.Count(text, `"lo":null`) != 3 || strings.Contains(text, "started_at") {
		t.Error(text)
	}
	dir = runtest.Tree(t, map[string]string{"run.json": trainManifest, "summary.json": `{"method":"dpo","test":{"tasks":1}}`})
	if text := asJSON(get[training.TrainingDoc](t, dir, "training")); strings.Count(text, `"lo":null`) != 2 {
		t.Error(text)
	}
}

func TestStepsWithDamage(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": trainManifest,
		"metrics.jsonl": asLines(runfile.TrainingStep{Step: 1, Loss: 2}) + "{\"step\":\"x\"}\n{\"step\":9}\n"})
	if s := get[training.TrainingSteps](t, dir, "training/0"); !strings.Contains(s.Problem, "metrics.jsonl, line 2") || len(s.Step) != 1 ||
		s.Columns["loss"][0] != 2 {
		t.Errorf("%+v", s)
	}
}

// FuzzSteps: whatever stands in metrics.jsonl, the columns are as long as the steps, and JSON.
func FuzzSteps(f *testing.F) {
	f.Add([]byte(grpoSteps + dpoStep))
	f.Add([]byte("{\"step\":1e3,\"loss\":1e400,\"rollouts\":true,\"heldout_pairs\":{\"margin\":null}}\n\n{\"step\":-1,\"kl\":\"x\"}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		run := open(t, runtest.Tree(t, map[string]string{"run.json": trainManifest, "metrics.jsonl": string(text)}))
		got, err := run.Get("training/0")
		if err != nil {
			t.Fatal(err)
		}
		s := got.(training.TrainingSteps)
		asJSON(s)
		for name, c := range s.Columns {
			if len(c) != len(s.Step) {
				t.Errorf("%s has %d values of %d steps", name, len(c), len(s.Step))
			}
		}
	})
}

// FuzzSummaries: whatever stands in summary.json and bench.json, the document is JSON or there is an error of ours.
func FuzzSummaries(f *testing.F) {
	f.Add([]byte(`{"method":"dpo","before":{"done":1},"ladder":[{"after":{}},{}],"rows":[{"runs":[{"truth":{}}]},{}],` +
		`"behaviour_gap":[{"measures":[{}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for kind, name := range map[string]string{"train": "summary.json", "eval": "summary.json", "bench": "bench.json"} {
			run := open(t, runtest.Tree(t, map[string]string{"run.json": asJSON(manifest(kind)), name: string(text),
				"results.jsonl": "", "metrics.jsonl": ""}))
			resource := map[string]string{"train": "training", "eval": "eval", "bench": "bench"}[kind]
			document, err := run.Get(resource)
			if err == nil {
				asJSON(document)
				continue
			}
			var known *doc.Error
			if !errors.As(err, &known) {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}

func TestBench(t *testing.T) {
	manifest := asJSON(manifest("bench"))
	dir := runtest.Tree(t, map[string]string{"run.json": manifest, "bench.json": asJSON(runfile.Bench{
		Rows: []runfile.BenchRow{{Config: "a", Truth: &runfile.BenchTruth{RecallCI: stats.Interval{Lo: 0.25, Hi: 0.5, Level: 0.95}},
			Runs: []runfile.BenchReview{{Config: "a", Dir: "runs/a", Truth: &runfile.BenchRunTruth{Total: 3, Found: 2}}}}, {Config: "b"}},
		Codebases: []runfile.BenchCodebase{{Name: "c"}}})})
	document := get[runfile.Bench](t, dir, "bench")
	if len(document.Rows) != 2 || document.Rows[0].CostUSD != nil || document.Rows[0].Truth.RecallCI.Lo != 0.25 ||
		document.Rows[0].Runs[0].Truth.Found != 2 {
		t.Errorf("%+v", document)
	}
	var lists map[string]json.RawMessage
	if err := json.Unmarshal([]byte(asJSON(document)), &lists); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rows", "codebases", "behaviour_gap", "economics", "tests", "rules", "notes"} {
		if string(lists[name]) == "null" {
			t.Errorf("%s is null: the page goes through it", name)
		}
	}
	if strings.Contains(asJSON(document.Rows[1].Runs), "null") {
		t.Error("runs are null")
	}
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, `,{"config":"%d"}`, i)
	}
	for text, status := range map[string]int{"{": 422, `{"rows":3}`: 422, `{"rows":[` + many.String()[1:] + `]}`: 413} {
		var known *doc.Error
		if _, err := open(t, runtest.Tree(t, map[string]string{"run.json": manifest, "bench.json": text})).Get("bench"); !errors.As(err,
			&known) || known.Status != status {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}

package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/google/go-cmp/cmp"
)

func TestEvalInColumns(t *testing.T) {
	// As verifiers saves it: the task as text, and no times.
	failed := `{"example_id":1,"rollout":1,"info":"{\"task\":\"t1\"}","error":{"error":"ModelError","message":"m"},` +
		`"stop_condition":"has_error","cost_usd":null}` + "\n"
	dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "traces.jsonl": "", "results.jsonl": aRow(1, 0, 1) + aRow(0, 1, 0.25,
		func(r *runfile.EvalRow) { r.IsTruncated = true }) + failed + aRow(0, 0, 0.5) + aRow(0, 0, 0.75, func(r *runfile.EvalRow) {
		r.Parts = []runfile.RewardPart{{Name: "detection", Value: 0.5, Weight: 0.45}, {Name: "early", Value: 1, Weight: -0.05}}
	})})
	document := get[evals.EvalDoc](t, dir, "eval")
	want := `{"total":4,"example":[0,0,1,1],"rollout":[0,1,0,1],"task":[0,0,1,1],"reward":[0.75,0.25,1,null],"stop":[0,0,0,1],` +
		`"stops":["done","has_error"],"failure":[-1,-1,-1,0],"failures":["ModelError"],` +
		`"input_tokens":[10,10,10,null],"output_tokens":[5,5,5,null],"cost_usd":[0.5,0.5,0.5,null],"seconds":[1.5,1.5,1.5,null],` +
		`"truncated":[1],"parts":[[0.5,null,null,null],[1,null,null,null]],"metrics":["dispatches","num_turns"],` +
		`"values":[[2,2,2,null],[1,2,1,null]]}`
	if d := cmp.Diff(want, asJSON(document.Rows)); d != "" {
		t.Error(d)
	}
	s := document.Summary
	if document.Final || s.Status != "partial" || s.Planned != 4 || s.Done != 4 || s.Errors != 1 || s.ErrorNames["ModelError"] != 1 ||
		s.Usage.Total != nil || s.Model != "a/b" || *s.Seed != 7 {
		t.Errorf("summary %+v", s)
	}
	if m := s.Reward.Mean; m == nil || *m != (0.75+0.25+1)/3 || s.Reward.CI95 == nil {
		t.Errorf("reward %+v", s.Reward)
	}
	if len(s.Tasks) != 2 || s.Tasks[1].Errors != 1 || *s.Tasks[0].Mean != 0.5 || *s.Tasks[0].Turns != 1.5 {
		t.Errorf("tasks %+v", s.Tasks)
	}
	if len(document.Parts) != 2 || document.Parts[1].Weight != -0.05 || *document.Parts[0].Value.Mean != 0.5 ||
		document.Parts[0].Value.CI95 != nil || document.Problem != "" {
		t.Errorf("parts %+v, problem %q", document.Parts, document.Problem)
	}
}

// The interval of a part lies within 0 to 1, as the part does. A stranger's part that does not has no bounds.
func TestEvalPartsStayWithinTheirBounds(t *testing.T) {
	for _, test := range []struct {
		last      float64
		how, want string // of each part
	}{
		{0.5, "t t", "[0.622 1.000] [0.110 11.890]"},
		{1, "all-equal t", "[0.478 1.000] [0.110 11.890]"},
	} {
		rows := ""
		for task := range 5 {
			rows += aRow(task, 0, 1, func(r *runfile.EvalRow) {
				ours := 1.0
				if task == 4 {
					ours = test.last
				}
				r.Parts = []runfile.RewardPart{{Name: "ours", Value: ours, Weight: 1}, {Name: "theirs", Value: 3 * float64(task), Weight: 1}}
			})
		}
		dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "traces.jsonl": "", "results.jsonl": rows})
		parts := get[evals.EvalDoc](t, dir, "eval").Parts
		ours, theirs := parts[0].Value, parts[1].Value
		got := fmt.Sprintf("%.3f %.3f", *ours.CI95, *theirs.CI95)
		if how := ours.CIHow + " " + theirs.CIHow; got != test.want || how != test.how {
			t.Errorf("with %v: %s by %s, want %s by %s", test.last, got, how, test.want, test.how)
		}
	}
}

func TestEvalOfVerifiersNumbersItsRollouts(t *testing.T) {
	row := `{"example_id":%d,"reward":%v,"metrics":{"ok":true},"timing":{"generation_ms":2000}}` + "\n"
	dir := runtest.Tree(t, map[string]string{"results.jsonl": fmt.Sprintf(row+row+row, 1, 1.0, 0, 0.5, 1, 0.0),
		"metadata.json": `{"env_id":7,"env":"their-env","usage":"none","model":"m","num_examples":2,"rollouts_per_example":2}`,
		"run.json":      strings.Replace(evalManifest, `"environment":"orchestration",`, "", 1)})
	document := get[evals.EvalDoc](t, dir, "eval")
	if got := asJSON(document.Rows.Rollout) + asJSON(document.Rows.Reward) + asJSON(document.Rows.Seconds) +
		asJSON(document.Rows.Values); got != `[0,0,1][0.5,1,0][2,2,2][[1,1,1]]` {
		t.Error(got)
	}
	if document.Summary.Environment != "their-env" || document.Summary.Planned != 4 {
		t.Errorf("%+v", document.Summary)
	}
}

// Numbers that no eval has come neither below nothing nor out of what their types hold.
func TestEvalOfHugeNumbers(t *testing.T) {
	dear := func(r *runfile.EvalRow) { r.Cost = new(money.MaxUSD) }
	huge := asJSON(eval.Manifest{Manifest: manifest("eval"), Options: eval.Options{Model: "m", Examples: 3 << 31, Rollouts: 3 << 31}})
	dir := runtest.Tree(t, map[string]string{"run.json": strings.Replace(huge, `"strategy":""`, `"strategy":7`, 1), "traces.jsonl": "",
		"results.jsonl": aRow(0, 0, 1, dear) + aRow(1<<31-1, 0, 1, dear)})
	if s := get[evals.EvalDoc](t, dir, "eval").Summary; s.Usage.Total == nil || *s.Usage.Total != money.MaxUSD || s.Planned != 0 ||
		s.Model != "m" || s.Rollouts != 3<<31 {
		t.Errorf("%+v, cost %v", s, s.Usage.Total)
	}
	if h := header(t, dir); h.Headline != "2 of 0 rollouts" {
		t.Error(h.Headline)
	}
	if one := get[evals.EvalRollout](t, dir, "eval/rollout/1"); one.Trace != fmt.Sprintf("rollout/%d/", (1<<31-1)*100_000) {
		t.Error(one.Trace)
	}
	writeTrace(t, dir, trace.Event{Kind: trace.KindDispatch, Dispatch: &trace.Dispatch{Usage: trace.Usage{CostPico: new(int64(1 << 62))}}},
		trace.Event{Kind: trace.KindDispatch, Dispatch: &trace.Dispatch{Usage: trace.Usage{CostPico: new(int64(1 << 62))}}})
	runtest.WriteFile(t, filepath.Join(dir, "run.json"), reviewManifest)
	if h := header(t, dir); h.CostUSD == nil || *h.CostUSD != money.MaxUSD.Float64() {
		t.Errorf("%+v", h.Row)
	}
}

func TestEvalThatGrowsAndIsSorted(t *testing.T) {
	first, second, third := aRow(1, 0, 0.5, func(r *runfile.EvalRow) { r.RootUsage.Calls = 9 }), aRow(0, 0, 1), aRow(0, 1, 0)
	dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "results.jsonl": first})
	run := open(t, dir)
	rewards := func() string {
		t.Helper()
		document, err := run.Get("eval")
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(document.(evals.EvalDoc).Rows.Reward)
	}
	write := func(text string) {
		t.Helper()
		name := filepath.Join(dir, "results.jsonl")
		if err := errors.Join(os.WriteFile(name+".new", []byte(text), 0o644), os.Rename(name+".new", name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := rewards(); got != "[0.5]" {
		t.Error(got)
	}
	f, err := os.OpenFile(filepath.Join(dir, "results.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(second + third[:20]); err != nil { // the last line is being written
		t.Fatal(err)
	}
	if got := rewards(); got != "[1,0.5]" {
		t.Error("after more came:", got)
	}
	if _, err := f.WriteString(third[20:]); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if got := rewards(); got != "[1,0,0.5]" {
		t.Error("after the line was whole:", got)
	}
	write(second + third + first) // as the eval does at its end
	if got := rewards(); got != "[1,0,0.5]" {
		t.Error("after it was sorted:", got)
	}
	document, err := run.Get("eval/rollout/2")
	if err != nil || document.(evals.EvalRollout).Task != "t1" || document.(evals.EvalRollout).Root.Calls != 9 {
		t.Errorf("the rollout of another line: %v %+v", err, document)
	}
	write(first)
	if got := rewards(); got != "[0.5]" {
		t.Error("after it was begun again:", got)
	}
}

func TestEvalWithDamagedRows(t *testing.T) {
	for name, damage := range map[string]string{
		"no JSON": "{\"example_id\":0,\n", "no example": `{"reward":1}` + "\n", "negative": `{"example_id":-1,"reward":1}` + "\n", "no reward": `{"example_id":3}` + "\n",
		"a reward that is no measurement": `{"example_id":3,"reward":1e300}` + "\n", "a list": "[]\n", "a rollout below 0": `{"example_id":1,"rollout":-1,"reward":1}` + "\n",
	} {
		document := get[evals.EvalDoc](t, runtest.Tree(t, map[string]string{"run.json": evalManifest,
			"results.jsonl": aRow(0, 0, 1) + damage + aRow(0, 1, 1)}), "eval")
		if !strings.Contains(document.Problem, "line 2") || document.Rows.Total != 1 {
			t.Errorf("%s: %d rows, problem %q", name, document.Rows.Total, document.Problem)
		}
	}
}

func TestRollout(t *testing.T) {
	defects := []env.Defect{{File: "a.go", Line: 3, EndLine: 4, Category: "logic", CWE: "CWE-1", Severity: "high", Description: "d",
		CrossFile: true}}
	dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "traces.jsonl": "", "results.jsonl": aRow(0, 0, 1,
		func(r *runfile.EvalRow) {
			r.Answer, r.Prompt = asJSON(defects), []runfile.EvalMessage{{Role: "system", Content: "s"}}
			r.Parts = []runfile.RewardPart{{Name: "p", Value: 0.5, Weight: 2}}
			r.RootUsage = runfile.EvalRole{Calls: 3, Input: 4, Cost: new(money.USD)}
		}) + aRow(0, 1, 0, func(r *runfile.EvalRow) { r.Answer = "42" })})
	document := get[evals.EvalRollout](t, dir, "eval/rollout/0")
	if len(document.Defects) != 1 || document.Defects[0].CWE != "CWE-1" || document.Truth != "" || document.Root.Calls != 3 ||
		document.Previous != nil || *document.Next != 1 || document.Of != 2 || len(document.Messages) != 0 || len(document.Parts) != 1 {
		t.Errorf("%+v", document)
	}
	if document.Trace == "" || asJSON(document.Info) != `[{"name":"language","value":"go"}]` ||
		asJSON(document.Metrics) != `[{"name":"dispatches","value":2},{"name":"num_turns","value":1}]` {
		t.Errorf("%+v", document)
	}
	if other := get[evals.EvalRollout](t, dir, "eval/rollout/1"); other.Truth != "42" || len(other.Defects) != 0 || *other.Previous != 0 ||
		other.Next != nil {
		t.Errorf("%+v", other)
	}
	for _, path := range []string{"eval/rollout/2", "eval/rollout/-1", "eval/rollout/x", "eval/rollout/", "eval/other",
		"eval/rollout/0/turns"} {
		var known *doc.Error
		if _, err := open(t, dir).Get(path); !errors.As(err, &known) || known.Status != 404 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// An eval without traces has the conversation in its rows.
func TestRolloutWithoutTrace(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "results.jsonl": aRow(0, 0, 1, func(r *runfile.EvalRow) {
		r.Prompt = []runfile.EvalMessage{{Role: "user", Content: "q"}}
		r.Completion = []runfile.EvalMessage{{Role: "assistant", Content: "a", ToolCalls: []string{"{}"}}, {Role: "tool", Content: long}}
	})})
	document := get[evals.EvalRollout](t, dir, "eval/rollout/0")
	if document.Trace != "" || len(document.Messages) != 3 || document.Messages[1].Text != "a\n[\"{}\"]" ||
		document.Messages[2].Cut != 100_000-64<<10 {
		t.Errorf("trace %q, %d messages, cut %d", document.Trace, len(document.Messages), document.Messages[2].Cut)
	}
}

// FuzzEvalRows: whatever stands in results.jsonl, the documents are JSON, the columns are of one length, and no rollout of
// theirs is missing. What a row holds beside what the list shows is looked at when it is asked for, and may be damaged.
func FuzzEvalRows(f *testing.F) {
	f.Add([]byte(aRow(0, 0, 1) + aRow(0, 1, 0, func(r *runfile.EvalRow) {
		r.Parts, r.Answer = []runfile.RewardPart{{Name: "a", Value: 1, Weight: 1}}, "[{}]"
	})))
	f.Add([]byte(`{"example_id":0,"error":"x","info":"{\"task\":1}","metrics":{"a":1e99,"b":true,"c":[]},"timing":{"generation":[]},` +
		`"completion":"t","prompt":{}}` + "\n"))
	f.Add([]byte(strings.Replace(aRow(0, 0, 1), "cost", "\x01", 1)))
	f.Fuzz(func(t *testing.T, rows []byte) {
		whole := true
		for line := range bytes.Lines(rows) {
			whole = whole && json.Valid(line)
		}
		dir := runtest.Tree(t, map[string]string{"run.json": evalManifest, "results.jsonl": string(rows)})
		run := open(t, dir)
		got, err := run.Get("eval")
		if err != nil {
			return
		}
		document := got.(evals.EvalDoc)
		asJSON(document)
		r := document.Rows
		for name, n := range map[string]int{"example": len(r.Example), "task": len(r.Task), "reward": len(r.Reward), "stop": len(r.Stop),
			"failure": len(r.Failure), "seconds": len(r.Seconds)} {
			if n != r.Total {
				t.Errorf("%s has %d entries of %d", name, n, r.Total)
			}
		}
		for _, c := range append(r.Parts, r.Values...) {
			if len(c) != r.Total {
				t.Errorf("a column of %d entries, of %d", len(c), r.Total)
			}
		}
		for n := range min(r.Total, 3) {
			one, err := run.Get(fmt.Sprintf("eval/rollout/%d", n))
			var known *doc.Error
			switch {
			case !whole && errors.As(err, &known) && known.Status == 422:
			case err != nil:
				t.Errorf("rollout %d: %v", n, err)
			default:
				asJSON(one)
			}
		}
	})
}

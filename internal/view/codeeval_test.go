package view_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

const (
	codeManifest = `{"schema":1,"command":"code eval","version":"1","started_at":"2026-01-02T03:04:05Z",` +
		`"options":{"dataset":"humaneval","model":"a/b","samples":2}}`
	codeTasks = `{"task_id":"T/10","entry_point":"f","prompt":"do","sent":true,"tests":2}
{"task_id":"T/2","entry_point":"g","prompt":"do more","sent":true,"tests":1}
`
	codeSamples = `{"task_id":"T/10","sample":0,"completion":"reply","model":"a/b","mode":"chat","finish_reason":"length",` +
		`"usage":{"input_tokens":5,"output_tokens":7},"cost_usd":null,"seconds":1.5,"max_tokens":8,"temperature":0}
{"task_id":"T/10","sample":1,"completion":"code","usage":{"output_tokens":3}}
{"task_id":"T/2","sample":0,"completion":""}
`
	codeResults = `{"task_id":"T/10","sample":0,"completion":"reply","verdict":"failed","error_class":"ValueError","error_message":"bad",` +
		`"stderr":"trace","program":"extracted","extraction":"fenced","tests_passed":1,"tests_total":2,"seconds":0.25,"steps":9}
{"task_id":"T/10","sample":1,"completion":"code","verdict":"passed","extraction":"exact","tests_passed":2,"tests_total":2,"seconds":0.25}
`
	codeControls = `"controls":{"canonical":{"passed":2,"total":2,"expected_failures":[]},"null":{"passed":0,"total":12}}`
)

func codeSummary(controls string) string {
	return `{"dataset":"humaneval","total":2,"passed":1,"pass_at_k":{"1":0.5,"2":1},"ci95":[0.1,0.9],"ci_method":"wilson",` + controls +
		`,"verdicts":{"passed":1,"failed":1,"empty":0},"tasks":1,"tasks_total":2,"partial":true,"missing":["T/2"],` +
		`"complete":true,"dataset_official":false,"diagnosis":["odd"]}`
}

func TestACodeEvalAtWork(t *testing.T) {
	document := get[code.CodeRun](t, runtest.Tree(t, map[string]string{"run.json": codeManifest, "tasks.jsonl": codeTasks,
		"samples.jsonl": codeSamples, "results.jsonl": codeResults}), "codeeval")
	if got := fmt.Sprint(document.Tasks.ID, document.Tasks.Verdicts, document.Tasks.Passed, document.Tasks.Error,
		document.Tasks.Seconds); got != "[T/10 T/2] [fp .] [1 0] [ValueError: bad ] [0.5 0]" {
		t.Error(got)
	}
	if *document.Tasks.Tokens[0] != 10 || document.Tasks.Tokens[1] != nil || document.Total != 2 || document.Passed != 1 ||
		document.SamplesKept != 3 {
		t.Errorf("%+v", document)
	}
	if len(document.PassAtK) != 0 || document.Withheld == "" || document.Controls != nil {
		t.Errorf("a score before the end: %+v", document)
	}
}

func TestNoScoreWithoutControls(t *testing.T) {
	files := map[string]string{"run.json": codeManifest, "samples.jsonl": codeSamples, "results.jsonl": codeResults,
		"summary.json": codeSummary(codeControls)}
	document := get[code.CodeRun](t, runtest.Tree(t, files), "codeeval")
	if len(document.PassAtK) != 2 || document.PassAtK[0] != (code.PassAtK{K: 1, Value: 0.5}) || document.Controls == nil ||
		document.Controls.NullTotal != 12 || document.Withheld != "" {
		t.Errorf("%+v", document)
	}
	if all := strings.Join(document.Caveats, "; "); !strings.Contains(all, "1 of 2 tasks") || !strings.Contains(all, "checksum") ||
		document.Diagnosis[0] != "odd" {
		t.Error(all, document.Diagnosis)
	}
	if document.Tasks.ID[0] != "T/2" { // nothing says the dataset's order: by name
		t.Error(document.Tasks.ID)
	}
	files["summary.json"] = codeSummary(`"controls":{}`)
	if document := get[code.CodeRun](t, runtest.Tree(t, files), "codeeval"); len(document.PassAtK) != 0 || document.Withheld == "" {
		t.Errorf("a score that nothing licenses: %+v", document)
	}
	files["summary.json"], files["results.jsonl"] = codeSummary(codeControls),
		codeResults+`{"task_id":"T/2","sample":0,"completion":"","verdict":"empty"}`+"\n"
	if document := get[code.CodeRun](t, runtest.Tree(t, files), "codeeval"); len(document.PassAtK) != 0 || document.Total != 3 {
		t.Errorf("an old score over new results: %+v", document)
	}
}

func TestATaskOfACodeEval(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": codeManifest, "tasks.jsonl": codeTasks, "samples.jsonl": codeSamples,
		"results.jsonl": codeResults})
	document := get[code.CodeTask](t, dir, "codeeval/task/T/10")
	if *document.Prompt != "do" || !document.Sent || document.Next != "T/2" || document.Previous != "" || len(document.Samples) != 2 {
		t.Fatalf("%+v", document)
	}
	first, second := document.Samples[0], document.Samples[1]
	if first.Text != "reply" || *first.Program != "extracted" || first.Stderr != "trace" || first.Made == nil ||
		first.Made.Finish != "length" || first.Made.CostUSD != nil {
		t.Errorf("%+v", first)
	}
	if *second.Program != "code" { // the run keeps programs, and this one was run as it stood
		t.Errorf("%+v", second)
	}
	old := runtest.Tree(t, map[string]string{"run.json": codeManifest, "samples.jsonl": codeSamples, "results.jsonl": codeResults})
	if document := get[code.CodeTask](t, old, "codeeval/task/T/10"); document.Prompt != nil || document.Samples[1].Program != nil {
		t.Errorf("what an old run has not kept is made up: %+v", document)
	}
	for _, resource := range []string{"codeeval/task/", "codeeval/task/T/3", "codeeval/other", "codeeval/task/../run.json"} {
		var e *doc.Error
		if _, err := open(t, dir).Get(resource); !errors.As(err, &e) || e.Status != 404 {
			t.Errorf("%s: %v", resource, err)
		}
	}
}

func TestRowsThatGrowAreSeen(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"run.json": codeManifest, "samples.jsonl": codeSamples, "results.jsonl": ""})
	r := open(t, dir)
	count := func() int {
		document, err := r.Get("codeeval")
		if err != nil {
			t.Fatal(err)
		}
		return document.(code.CodeRun).Total
	}
	before := count()
	if err := os.WriteFile(filepath.Join(dir, "results.jsonl"), []byte(codeResults), 0o644); err != nil {
		t.Fatal(err)
	}
	if after := count(); before != 0 || after != 2 {
		t.Errorf("%d, then %d", before, after)
	}
}

// everything asks for documents of a run, whose files may be a stranger's: each is there, or why it is not is said.
func everything(t *testing.T, dir string, resources ...string) {
	t.Helper()
	r, err := view.Open(dir)
	if err != nil {
		return
	}
	defer r.Close()
	for _, resource := range append(resources, "") {
		document, err := r.Get(resource)
		var e *doc.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%s: no doc.Error: %v", resource, err)
		}
		if _, err := json.Marshal(document); err != nil {
			t.Fatalf("%s: %v", resource, err)
		}
	}
}

// FuzzCodeEval reads runs whose files are a stranger's.
func FuzzCodeEval(f *testing.F) {
	f.Add(codeManifest, codeTasks, codeSamples, codeResults, codeSummary(codeControls))
	f.Add(codeManifest, "", `{"task_id":"T","sample":-1}`+"\n", `{"task_id":"T","sample":99999999,"verdict":"passed"}`+"\n",
		`{"pass_at_k":{"x":1e999}}`)
	f.Add(codeManifest, "null\n", "[]\n", `{"task_id":"<script>","verdict":"<script>","completion":null,"program":"\u0000"}`+"\n", `[]`)
	f.Fuzz(func(t *testing.T, manifest, tasks, samples, results, summary string) {
		dir := runtest.Tree(t, map[string]string{"run.json": manifest, "tasks.jsonl": tasks, "samples.jsonl": samples, "results.jsonl": results,
			"summary.json": summary})
		everything(t, dir, "codeeval", "codeeval/task/T", "codeeval/task/T/10")
	})
}

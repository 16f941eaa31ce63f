package view_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// fullManifest is run.json of a command with options, or with the recipe of pairs.
type fullManifest struct {
	runfile.Manifest
	Options map[string]any      `json:"options,omitzero"`
	Recipe  *runfile.PairRecipe `json:"recipe,omitempty"`
}

// codeFiles are a code eval's. The sample of T/2 says nothing of its making, as a verification's.
func codeFiles() map[string]string {
	first, second := runfile.SampleRef{TaskID: "T/10"}, runfile.SampleRef{TaskID: "T/10", Sample: 1}
	return map[string]string{
		"run.json": asJSON(fullManifest{Manifest: manifest("code eval"),
			Options: map[string]any{"dataset": "humaneval", "model": "a/b", "samples": 2}}),
		"tasks.jsonl": asLines[any](runfile.CodeTask{TaskID: "T/10", Entry: "f", Prompt: "do", Sent: true, Tests: 2},
			runfile.CodeTask{TaskID: "T/2", Entry: "g", Prompt: "do more", Sent: true, Tests: 1}),
		"samples.jsonl": asLines[any](runfile.CodeSample{TaskID: "T/10", Completion: "reply", Model: "a/b", Mode: "chat", Finish: "length",
			Usage: runfile.Tokens{InputTokens: 5, OutputTokens: 7}, Seconds: 1.5,
			SampleParameters: runfile.SampleParameters{MaxTokens: 8, Temperature: new(0.0)}},
			runfile.CodeSample{TaskID: "T/10", Index: 1, Completion: "code", Usage: runfile.Tokens{OutputTokens: 3}},
			map[string]any{"task_id": "T/2", "sample": 0, "completion": ""}),
		"results.jsonl": asLines(runfile.CodeResult{SampleRef: first, Completion: new("reply"), Verdict: sandbox.Failed, ErrorClass: "ValueError",
			ErrorMessage: "bad", StderrEnd: "trace", Program: "extracted", Extraction: "fenced", TestsPassed: 1, TestsTotal: 2, Seconds: 0.25,
			Interpreter: 9},
			runfile.CodeResult{SampleRef: second, Completion: new("code"), Passed: true, Verdict: sandbox.Passed, Extraction: "exact",
				TestsPassed: 2, TestsTotal: 2, Seconds: 0.25}),
		"summary.json": asLines[any](codeSummary()),
	}
}

var codeControls = runfile.Controls{Canonical: runfile.CanonicalControl{Passed: 2, Total: 2, ExpectedFailures: []string{}},
	Null: runfile.NullControl{Total: 12}}

func codeSummary() runfile.CodeSummary {
	return runfile.CodeSummary{Dataset: "humaneval", Total: 2, Passed: 1, PassAtK: map[string]float64{"1": 0.5, "2": 1},
		CI95: &[2]float64{0.1, 0.9}, CIMethod: "wilson", Controls: codeControls, Verdicts: map[string]int{"passed": 1, "failed": 1, "empty": 0},
		Tasks: 1, TasksTotal: 2, Partial: true, Missing: []string{"T/2"}, Complete: true, Diagnosis: []string{"odd"}}
}

// without are files but for some.
func without(files map[string]string, names ...string) map[string]string {
	for _, name := range names {
		delete(files, name)
	}
	return files
}

func TestACodeEvalAtWork(t *testing.T) {
	document := get[code.CodeRun](t, runtest.Tree(t, without(codeFiles(), "summary.json")), "codeeval")
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
	files := without(codeFiles(), "tasks.jsonl")
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
	unlicensed := codeSummary()
	unlicensed.Controls = runfile.Controls{}
	files["summary.json"] = asLines[any](unlicensed)
	if document := get[code.CodeRun](t, runtest.Tree(t, files), "codeeval"); len(document.PassAtK) != 0 || document.Withheld == "" {
		t.Errorf("a score that nothing licenses: %+v", document)
	}
	files["summary.json"] = asLines[any](codeSummary())
	files["results.jsonl"] += asLines[any](runfile.CodeResult{SampleRef: runfile.SampleRef{TaskID: "T/2"}, Completion: new(""),
		Verdict: sandbox.Empty})
	if document := get[code.CodeRun](t, runtest.Tree(t, files), "codeeval"); len(document.PassAtK) != 0 || document.Total != 3 {
		t.Errorf("an old score over new results: %+v", document)
	}
}

func TestATaskOfACodeEval(t *testing.T) {
	dir := runtest.Tree(t, without(codeFiles(), "summary.json"))
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
	old := runtest.Tree(t, without(codeFiles(), "tasks.jsonl", "summary.json"))
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
	files := without(codeFiles(), "tasks.jsonl", "summary.json")
	results := files["results.jsonl"]
	files["results.jsonl"] = ""
	dir := runtest.Tree(t, files)
	r := open(t, dir)
	count := func() int {
		document, err := r.Get("codeeval")
		if err != nil {
			t.Fatal(err)
		}
		return document.(code.CodeRun).Total
	}
	before := count()
	if err := os.WriteFile(filepath.Join(dir, "results.jsonl"), []byte(results), 0o644); err != nil {
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
	files := codeFiles()
	f.Add(files["run.json"], files["tasks.jsonl"], files["samples.jsonl"], files["results.jsonl"], files["summary.json"])
	f.Add(files["run.json"], "", `{"task_id":"T","sample":-1}`+"\n", `{"task_id":"T","sample":99999999,"verdict":"passed"}`+"\n",
		`{"pass_at_k":{"x":1e999}}`)
	f.Add(files["run.json"], "null\n", "[]\n", `{"task_id":"<script>","verdict":"<script>","completion":null,"program":"\u0000"}`+"\n", `[]`)
	f.Fuzz(func(t *testing.T, manifest, tasks, samples, results, summary string) {
		dir := runtest.Tree(t, map[string]string{"run.json": manifest, "tasks.jsonl": tasks, "samples.jsonl": samples, "results.jsonl": results,
			"summary.json": summary})
		everything(t, dir, "codeeval", "codeeval/task/T", "codeeval/task/T/10")
	})
}

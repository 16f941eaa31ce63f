package rescore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/google/go-cmp/cmp"
)

var box *sandbox.Engine

func TestMain(m *testing.M) {
	runtest.Main(m, func(e *sandbox.Engine) { box = e })
}

const shared = "../../../../shared/data"

// tasks are two of HumanEval's shape.
const tasks = `{"task_id": "HumanEval/0", "prompt": "def add(a, b):\n    \"\"\"The sum.\"\"\"\n", "entry_point": "add", ` +
	`"canonical_solution": "    return a + b\n", ` +
	`"test": "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(0, 0) == 0\n"}
{"task_id": "HumanEval/1", "prompt": "def double(a):\n    \"\"\"Twice.\"\"\"\n", "entry_point": "double", ` +
	`"canonical_solution": "    return 2 * a\n", ` +
	`"test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate('a') == 'aa'\n"}
`

func small(t *testing.T) *dataset.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tasks.jsonl")
	if err := os.WriteFile(path, []byte(tasks), 0o644); err != nil {
		t.Fatal(err)
	}
	set, err := dataset.Open(t.Context(), "humaneval", dataset.Options{Data: path, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func parse(t *testing.T, text string) *resultfile.File {
	t.Helper()
	f, err := resultfile.Parse([]byte(text), "results.jsonl", resultfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// judged opens the gate and rescores.
func judged(t *testing.T, set *dataset.Set, c Config, files ...*resultfile.File) Report {
	t.Helper()
	v := verify.New(verify.Config{Box: box, Set: set})
	controls, err := v.Gate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(set, files); err != nil {
		t.Fatal(err)
	}
	c.Set, c.Judge = set, v
	r, err := Run(t.Context(), c, files)
	if err != nil {
		t.Fatal(err)
	}
	r.Control = controls
	return r
}

func TestRescore(t *testing.T) {
	set := small(t)
	// A harness that never called the tests: everything that loads has passed.
	lying := parse(t, `{"task_id": "HumanEval/0", "completion": "", "passed": true}
{"task_id": "HumanEval/1", "completion": "    return a + a\n", "passed": true}
{"task_id": "HumanEval/1", "completion": "    return )\n", "passed": false}`)
	// An honest one, with whole programs; one file's text is missing.
	honest := parse(t, `{"task_id": "humaneval/0", "solution": "def add(a, b):\n    return a - b\n", "passed": false}
{"task_id": "HumanEval/1", "solution": "def double(a):\n    return a * 2\n", "passed": true}
{"task_id": "HumanEval/1", "passed": true}`)
	programs := 0
	r := judged(t, set, Config{Box: box, Observe: func(done, total int) { programs = total }}, lying, honest, lying)
	if programs != 5 || r.Programs != 5 {
		t.Errorf("%d programs (%d in the report): equal ones should be judged once", programs, r.Programs)
	}
	if r.Control.Canonical.Passed != 2 || r.Control.Null.Passed != 0 || r.Control.Null.Total == 0 {
		t.Errorf("controls %+v", r.Control)
	}
	l := r.Files[0]
	if *l.ReportedPassed != 2 || l.RescoredPassed != 1 || l.Total != 3 || l.Empty != 1 || l.EmptyReportedPassed != 1 || l.UpperBound != 1 ||
		*l.RunsWithoutTests != 2 {
		t.Errorf("lying: %+v", l)
	}
	if diff := cmp.Diff(runfile.Agreement{Rows: 3, WithTests: 2, WithoutTests: l.Agreement.WithoutTests}, l.Agreement); diff != "" ||
		*l.Agreement.WithoutTests != 3 {
		t.Errorf("agreement: %s %d", diff, *l.Agreement.WithoutTests)
	}
	if diff := cmp.Diff([]string{"HumanEval/1"}, l.Passed); diff != "" {
		t.Error(diff)
	}
	if l.Verdicts[string(sandbox.Passed)] != 1 || l.Verdicts[string(sandbox.Failed)] != 1 || l.Verdicts[string(sandbox.SyntaxError)] != 1 {
		t.Errorf("verdicts %v", l.Verdicts)
	}
	want := []string{
		"the recorded verdicts are what running the programs without calling the tests gives (3 of 3 whole samples agree; with the tests 2 do): that harness never called them",
		"1 of the 2 reported passes are empty completions, and nothing passes no test: this looks like a harness fault",
		"2 were reported, but no more than 1 can have passed, were every truncated sample right",
		"1 of 3 completions (33%) are empty: the model was stopped at once, or its prompt was wrong, so even the rescored number says little about the model",
	}
	if diff := cmp.Diff(want, l.Diagnosis); diff != "" {
		t.Error(diff)
	}
	h := r.Files[1]
	if *h.ReportedPassed != 2 || h.RescoredPassed != 1 || h.Unjudged != 1 || h.UpperBound != 2 || h.Agreement.Rows != 2 ||
		h.Agreement.WithTests != 2 {
		t.Errorf("honest: %+v", h)
	}
	if diff := cmp.Diff([]string{"1 samples have no text in the file and no verdict here"}, h.Diagnosis); diff != "" {
		t.Error(diff)
	}
	// The files come back with the new verdicts; the old ones are untouched.
	if p, n := r.Judged[0].Passed(); p != 1 || n != 3 {
		t.Errorf("judged: %d of %d", p, n)
	}
	if p, n := lying.Passed(); p != 2 || n != 3 {
		t.Errorf("the recorded verdicts were changed: %d of %d", p, n)
	}
	if p, n := r.Judged[1].Passed(); p != 1 || n != 2 {
		t.Errorf("a sample without a text got a verdict: %d of %d", p, n)
	}
}

func TestRowsAreReadBack(t *testing.T) {
	set := small(t)
	was := parse(t, `{"task_id": "HumanEval/0", "completion": "", "passed": true}
{"task_id": "HumanEval/1", "solution": "def double(a):\n    return a * 2\n", "passed": true}`)
	r := judged(t, set, Config{}, was)
	if r.Files[0].RunsWithoutTests != nil || r.Files[0].Agreement.WithoutTests != nil {
		t.Error("what was not tried has a number")
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := Save(dir, r, []*resultfile.File{was}, unseen); err != nil {
		t.Fatal(err)
	}
	if err := Save(dir, r, []*resultfile.File{was}, unseen); err == nil {
		t.Error("a directory that is used was written over")
	}
	got, err := resultfile.Read(filepath.Join(dir, "results_rescored.jsonl"), resultfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p, n := got.Passed(); p != 1 || n != 2 || got.Tasks[0].Samples[0].Kind != resultfile.Completion {
		t.Errorf("%d of %d: %+v", p, n, got.Tasks)
	}
	var doc struct {
		Files []map[string]any `json:"files"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "rescore.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"path", "total", "reported_passed", "rescored_passed", "empty", "truncated", "upper_bound"} {
		if _, ok := doc.Files[0][key]; !ok {
			t.Errorf("rescore.json has no %s", key)
		}
	}
	md, err := os.ReadFile(filepath.Join(dir, "rescore.md"))
	if err != nil || !bytes.Contains(md, []byte("| results.jsonl |")) {
		t.Errorf("%v\n%s", err, md)
	}
}

func TestWhatCannotBeJudged(t *testing.T) {
	set := small(t)
	unknown := parse(t, `{"task_id": "HumanEval/0", "completion": ""}
{"task_id": "HumanEval/7", "completion": ""}
{"task_id": "Other/1", "completion": ""}`)
	err := Check(set, []*resultfile.File{unknown})
	if err == nil || err.Error() != "results.jsonl: humaneval has no task HumanEval/7, Other/1" {
		t.Error(err)
	}
	if chosen := Selected(set, []*resultfile.File{parse(t, `{"task_id": "humaneval/1", "completion": ""}`)}); chosen("HumanEval/0") ||
		!chosen("HumanEval/1") {
		t.Error("the controls are not those of the files' tasks")
	}
	err = Check(set, []*resultfile.File{parse(t, `{"task_id": "HumanEval/0", "passed": true}`)})
	if err == nil || !strings.Contains(err.Error(), "verdicts, but no programs") {
		t.Error(err)
	}
	// Without a gate nothing is judged.
	file := parse(t, `{"task_id": "HumanEval/0", "completion": ""}`)
	if _, err := Run(t.Context(), Config{Set: set, Judge: verify.New(verify.Config{Box: box, Set: set})},
		[]*resultfile.File{file}); !errors.Is(err, verify.ErrNoGate) {
		t.Error(err)
	}
}

// verdicts is a judge whose answers a test chooses, for faults and interruptions that the real one does not have on demand.
type verdicts func(code string) (verify.Result, error)

func (s verdicts) Judge(_ context.Context, _ dataset.Task, code string) (verify.Result, error) {
	return s(code)
}

func (s verdicts) Sample(context.Context, verify.Sample) (verify.Result, error) {
	return verify.Result{}, errors.New("these samples are code")
}

// A reply in a chat holds its code in a fence, when the run that it is of says that it is one.
func TestOurOwnChatRepliesAreReadAsSuch(t *testing.T) {
	set := small(t)
	const reply = "Here:\n```python\ndef add(a, b):\n    return a + b\n```\n"
	text, err := json.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	file := parse(t, `{"task_id": "HumanEval/0", "completion": `+string(text)+`, "verdict": "passed", "mode": "chat"}`)
	stored := parse(t, `{"task_id": "HumanEval/0", "completion": `+string(text)+`, "passed": true}`)
	v := verify.New(verify.Config{Box: box, Set: set, Extract: extract.New(runtest.OpenParser)})
	if _, err := v.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Config{Set: set, Judge: v, Box: box}, []*resultfile.File{file, stored})
	if err != nil {
		t.Fatal(err)
	}
	if r.Files[0].RescoredPassed != 1 || *r.Files[0].RunsWithoutTests != 1 {
		t.Errorf("ours: %+v", r.Files[0])
	}
	if r.Files[1].RescoredPassed != 0 || r.Files[1].Verdicts[string(sandbox.SyntaxError)] != 1 {
		t.Errorf("somebody else's is code as it stands: %+v", r.Files[1])
	}
}

func TestFaultsAreNotFailures(t *testing.T) {
	set := small(t)
	file := parse(t, `{"task_id": "HumanEval/0", "completion": "a", "passed": true}
{"task_id": "HumanEval/1", "completion": "b", "passed": false}`)
	r, err := Run(t.Context(), Config{Set: set, Judge: verdicts(func(code string) (verify.Result, error) {
		if strings.HasSuffix(code, "a") {
			return verify.Result{CodeResult: runfile.CodeResult{Verdict: sandbox.InfraError}}, nil
		}
		return verify.Result{CodeResult: runfile.CodeResult{Verdict: sandbox.Passed, Passed: true}}, nil
	})}, []*resultfile.File{file})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Files[0]
	if f.RescoredPassed != 1 || f.Unjudged != 1 || f.UpperBound != 2 || f.Agreement.Rows != 1 {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]string{"the sandbox failed on 1 samples; they have no verdict"}, f.Diagnosis); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err = Run(ctx, Config{Set: set, Workers: 1, Judge: verdicts(func(string) (verify.Result, error) {
		calls++
		cancel()
		return verify.Result{}, ctx.Err()
	})}, []*resultfile.File{file})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%v after %d programs", err, calls)
	}
}

func TestReferenceFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the reference's six files are not rescored")
	}
	data := filepath.Join(shared, "humaneval/HumanEval.jsonl.gz")
	if _, err := os.Stat(data); err != nil {
		t.Skip("shared data is not here: the reference's six files are not rescored")
	}
	set, err := dataset.Open(t.Context(), "humaneval", dataset.Options{Data: data, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"base_15b", "base_3b", "dpo_500_15b", "dpo_1k_15b", "dpo_2k_15b", "dpo_2k_3b"}
	var files []*resultfile.File
	for _, name := range names {
		f, err := resultfile.Read(filepath.Join(shared, "rlvf/results_v2", name+"_humaneval.json"), resultfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	r := judged(t, set, Config{Box: box}, files...)
	want := [][]int{{138, 1, 133, 12}, {149, 1, 145, 3}, {135, 1, 132, 13}, {132, 1, 127, 14}, {128, 2, 116, 28}, {127, 1, 117, 19}}
	for i, f := range r.Files {
		if diff := cmp.Diff(want[i], []int{*f.ReportedPassed, f.RescoredPassed, f.Empty, f.Truncated}); diff != "" {
			t.Errorf("%s: %s", names[i], diff)
		}
		if f.Agreement.Rows != 164-f.Truncated || *f.Agreement.WithoutTests != f.Agreement.Rows {
			t.Errorf("%s: without tests, %d of %d whole rows agree", names[i], *f.Agreement.WithoutTests, f.Agreement.Rows)
		}
		t.Logf("%s: reported %d, without tests %d, with tests %d (%v), at most %d; agreement %d/%d/%d", names[i], *f.ReportedPassed,
			*f.RunsWithoutTests, f.RescoredPassed, f.Passed, f.UpperBound,
			*f.Agreement.WithoutTests, f.Agreement.WithTests, f.Agreement.Rows)
	}
	t.Logf("%d programs in %.1f s", r.Programs, r.Seconds)
}

// unseen is told of a directory and does nothing with it.
func unseen(*rundir.Dir) func() { return func() {} }

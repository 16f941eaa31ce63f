package verify_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/google/go-cmp/cmp"
)

// humaneval is a set of n adders.
func humaneval(t testing.TB, n int) *dataset.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), "HumanEval.jsonl")
	runtest.WriteFile(t, path, runtest.Adders(n))
	set, err := dataset.Open(t.Context(), "humaneval", dataset.Options{Data: path, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// box judges by words in the program: it stands for the sandbox where only what happens around it is tested.
type box struct {
	mu    sync.Mutex
	runs  int
	judge func(p sandbox.Program) (sandbox.Judgement, error)
}

func (b *box) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	if err := ctx.Err(); err != nil {
		return sandbox.Judgement{}, err
	}
	b.mu.Lock()
	b.runs++
	b.mu.Unlock()
	if b.judge != nil {
		if j, err := b.judge(p); err != nil || j.Verdict != "" {
			return j, err
		}
	}
	return runtest.JudgeAdder(p), nil
}

func samples(lines ...string) func(func(verify.Sample, error) bool) {
	return source(lines...).Samples()
}

func TestResultsComeInOrder(t *testing.T) {
	set := humaneval(t, 50)
	hold := make(chan struct{})
	b := &box{}
	v := verify.New(verify.Config{Box: b, Set: set, Workers: 4})
	if _, err := v.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	b.judge = func(p sandbox.Program) (sandbox.Judgement, error) {
		switch p.Entry {
		case "add_0": // the first sample ends last of those that fit in beside it
			<-hold
		case "add_20":
			once.Do(func() { close(hold) })
		}
		return sandbox.Judgement{}, nil
	}
	var lines []string
	for i := range 50 {
		lines = append(lines, fmt.Sprintf(`{"task_id": "HumanEval/%d", "completion": "    return x + %d\n"}`, i, i-i%2))
	}
	var got, want []string
	err := v.Verify(t.Context(), samples(lines...), func(r verify.Result) error {
		got = append(got, fmt.Sprint(r.TaskID, r.Passed))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		want = append(want, fmt.Sprint(fmt.Sprintf("HumanEval/%d", i), i%2 == 0))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingIsJudgedBeforeTheGate(t *testing.T) {
	set := humaneval(t, 2)
	v := verify.New(verify.Config{Box: &box{}, Set: set})
	err := v.Verify(t.Context(), samples(`{"task_id": "HumanEval/0", "completion": ""}`), func(verify.Result) error { return nil })
	if !errors.Is(err, verify.ErrNoGate) {
		t.Errorf("Verify: %v", err)
	}
	if _, err := v.Judge(t.Context(), set.Tasks[0], "x"); !errors.Is(err, verify.ErrNoGate) {
		t.Errorf("Judge: %v", err)
	}
}

func TestTheGateFails(t *testing.T) {
	for name, c := range map[string]struct {
		judge func(p sandbox.Program) (sandbox.Judgement, error)
		want  string
	}{
		"the tests are never called": {
			func(p sandbox.Program) (sandbox.Judgement, error) {
				if strings.HasSuffix(p.Code, "\n)\n") || strings.Contains(p.Code, "\ndel ") {
					return sandbox.Judgement{}, nil
				}
				return sandbox.Judgement{Verdict: sandbox.Passed}, nil
			}, "2 of 2 references passed, and 6 of 12 null programs\n  HumanEval/0: the pass program: passed\n",
		},
		"a reference fails": {
			func(p sandbox.Program) (sandbox.Judgement, error) {
				if p.Entry == "add_1" && strings.Contains(p.Code, "return x + 1\n") && !strings.Contains(p.Code, "\ndel ") &&
					!strings.HasSuffix(p.Code, ")\n") {
					return sandbox.Judgement{Verdict: sandbox.Failed, Error: &sandbox.PyError{Type: "NameError",
						Message: "name 'List' is not defined"}}, nil
				}
				return sandbox.Judgement{}, nil
			}, "HumanEval/1: the canonical program: failed (NameError: name 'List' is not defined)",
		},
		"the sandbox is broken": {
			func(sandbox.Program) (sandbox.Judgement, error) {
				return sandbox.Judgement{}, errors.New("no memory left")
			},
			"infra error (sandbox: no memory left)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := verify.New(verify.Config{Box: &box{judge: c.judge}, Set: humaneval(t, 2), Workers: 2})
			_, err := v.Gate(t.Context())
			var gate *verify.GateError
			if !errors.As(err, &gate) || !strings.Contains(err.Error(), c.want) || gate.Hint() == "" {
				t.Errorf("got %v\nwant %q in it", err, c.want)
			}
			if err := v.Verify(t.Context(), samples(), nil); !errors.Is(err, verify.ErrNoGate) {
				t.Errorf("after that, Verify: %v", err)
			}
		})
	}
}

func TestAFaultOfTheSandboxIsNoFailedSample(t *testing.T) {
	set := humaneval(t, 3)
	b := &box{}
	v := verify.New(verify.Config{Box: b, Set: set})
	if _, err := v.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	faults := map[string]int{"add_0": 1, "add_1": 2}
	var mu sync.Mutex
	b.judge = func(p sandbox.Program) (sandbox.Judgement, error) {
		mu.Lock()
		defer mu.Unlock()
		if faults[p.Entry]--; faults[p.Entry] >= 0 {
			return sandbox.Judgement{}, errors.New("worker lost")
		}
		return sandbox.Judgement{}, nil
	}
	var ledger verify.Ledger
	err := v.Verify(t.Context(), samples(
		`{"task_id": "HumanEval/0", "completion": "    return x + 0\n"}`,
		`{"task_id": "HumanEval/1", "completion": "    return x + 1\n"}`,
		`{"task_id": "HumanEval/2", "completion": "    return x + 7\n"}`), func(r verify.Result) error { ledger.Add(r.CodeResult); return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := map[sandbox.Verdict]int{sandbox.Passed: 1, sandbox.InfraError: 1, sandbox.Failed: 1}
	if diff := cmp.Diff(want, ledger.Verdicts); diff != "" {
		t.Error(diff)
	}
	if ledger.Judged() != 2 || ledger.Tasks["HumanEval/1"] != (runfile.CodeTally{Infra: 1}) {
		t.Errorf("judged %d, %+v", ledger.Judged(), ledger.Tasks)
	}
	if said := ledger.Diagnosis(); len(said) != 1 || !strings.Contains(said[0], "1 of 3 samples have no verdict") {
		t.Errorf("diagnosis %q", said)
	}
}

func TestCancelKeepsWhatIsDone(t *testing.T) {
	set := humaneval(t, 30)
	b := &box{}
	v := verify.New(verify.Config{Box: b, Set: set, Workers: 2})
	if _, err := v.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var lines []string
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf(`{"task_id": "HumanEval/%d", "completion": "    return x\n"}`, i%30))
	}
	done := 0
	err := v.Verify(ctx, samples(lines...), func(verify.Result) error {
		if done++; done == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || done < 10 || done == 3000 {
		t.Errorf("%d results, then %v", done, err)
	}
}

func TestAProgramCannotForgeLinesOfTheReport(t *testing.T) {
	b := &box{}
	v := verify.New(verify.Config{Box: b, Set: humaneval(t, 1)})
	if _, err := v.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.judge = func(sandbox.Program) (sandbox.Judgement, error) {
		return sandbox.Judgement{Verdict: sandbox.Failed, Error: &sandbox.PyError{Type: "E\npass@1  100%",
			Message: "a\nb\x1b[2J" + strings.Repeat("x", 5000)}}, nil
	}
	var l verify.Ledger
	for range 20 {
		r, err := v.Sample(t.Context(), verify.Sample{TaskID: "HumanEval/0", Completion: new(string)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != sandbox.Empty {
			t.Fatalf("%+v", r)
		}
		text := "    return 1\n"
		if r, err = v.Sample(t.Context(), verify.Sample{TaskID: "HumanEval/0", Completion: &text}); err != nil ||
			r.ErrorClass != "E pass@1 100%" || len(r.ErrorMessage) > 2100 {
			t.Fatalf("%q, %d bytes, %v", r.ErrorClass, len(r.ErrorMessage), err)
		}
		l.Add(r.CodeResult)
	}
	for _, line := range l.Diagnosis() {
		if strings.Contains(line, "\n") {
			t.Errorf("%q", line)
		}
	}
}

// Programs in other languages have controls of their own, and a clock where there is no reference.
func TestOtherLanguages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	runtest.WriteFile(t, path, `{"name": "a", "language": "cpp", "prompt": "int f() {\n", "tests": "}\nint main() { return f(); }\n"}`)
	set, err := dataset.Open(t.Context(), "multipl-e", dataset.Options{Data: path, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	var seen []sandbox.Program
	b := &box{judge: func(p sandbox.Program) (sandbox.Judgement, error) {
		seen = append(seen, p)
		switch {
		case p.Language != "cpp":
			return sandbox.Judgement{}, errors.New("in another language")
		case strings.Contains(p.Code, "return 0;"):
			return sandbox.Judgement{Verdict: sandbox.Passed, Backend: sandbox.Native}, nil
		case strings.HasPrefix(p.Code, ")("):
			return sandbox.Judgement{Verdict: sandbox.SyntaxError}, nil
		}
		return sandbox.Judgement{Verdict: sandbox.Failed}, nil
	}}
	v := verify.New(verify.Config{Box: b, Set: set, Workers: 1, Repeat: 2})
	controls, err := v.Gate(t.Context())
	if err != nil || controls.Null.Total != 3 || controls.Canonical.Total != 0 {
		t.Fatalf("%v %+v", err, controls)
	}
	seen = nil
	completion := " return 0;"
	r, err := v.Sample(t.Context(), verify.Sample{TaskID: "a", Completion: &completion})
	if err != nil || !r.Passed || r.Backend != sandbox.Native || len(seen) != 2 || seen[1].Setup != "" || seen[0].Limits.Wall.Seconds() != 10 {
		t.Errorf("%v %+v %+v", err, r, seen)
	}
}

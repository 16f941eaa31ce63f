package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// timings are what differs between an eval and its repetition, and atMost what differs after a kill: calls that were in
// flight may have been billed.
var (
	timings = regexp.MustCompile(`"timing":\{.*?"total_ms":[^}]*\}`)
	atMost  = regexp.MustCompile(`"at_most_usd":[^,]*,`)
)

func evalRows(t *testing.T, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, eval.ResultsName))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n != len(timings.FindAll(data, -1)) {
		t.Fatalf("%d rows, and not as many timings", n)
	}
	return atMost.ReplaceAll(timings.ReplaceAll(data, []byte(`"timing":{}`)), nil)
}

// something is a finding without proof.
func something(path string) string {
	return fmt.Sprintf(`{"file":%q,"line":1,"severity":"low","category":"logic",`+
		`"title":"t","evidence":"e","explanation":"e","suggestion":"s","confidence":0.5}`, path)
}

// Kill -9 in the middle of an eval, then resume: the rows are those of an uninterrupted eval to the byte, but for the
// times in them, and at most the calls in flight are paid again.
func TestKillInTheMiddleOfAnEvalThenResume(t *testing.T) {
	const concurrency, dispatches = 3, 8
	var mu sync.Mutex
	calls := 0
	answer := fakeModels(10*time.Millisecond, something)
	p := newProgram(t, func(r llmtest.ChatRequest) llmtest.Reply {
		mu.Lock()
		calls++
		mu.Unlock()
		return answer(r)
	})
	args := []string{"eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "4", "-r", "3", "-c",
		fmt.Sprint(concurrency),
		"--seed", "5", "--budget", "5", "--temperature", "0.7"}
	p.must(append(args, "--out", "whole")...)
	whole := evalRows(t, p.path("whole"))
	uninterrupted := calls
	calls = 0

	p.killWhen(func() bool {
		return count(p.path("killed", eval.ResultsName), "\n") >= 3 && dispatched(p.path("killed", "rollouts", "*.jsonl"))
	}, append(args, "--out", "killed")...)
	if _, err := os.Stat(p.path("killed", eval.SummaryName)); err == nil {
		t.Fatal("there is a summary of an eval that was killed")
	}
	inFlight := unsettled(t, p.path("killed", "rollouts", "*.jsonl"))
	p.must("resume", "killed")
	if got := evalRows(t, p.path("killed")); !bytes.Equal(got, whole) {
		t.Errorf("the rows differ from those of the uninterrupted eval:\n%s", firstDifference(whole, got))
	}
	if again := calls - uninterrupted; again < 0 || again > concurrency*dispatches {
		t.Errorf("%d calls were made, %d by the uninterrupted eval; at most %d were in flight", calls, uninterrupted, concurrency*dispatches)
	}
	var s runfile.EvalSummary
	data, err := os.ReadFile(p.path("killed", eval.SummaryName))
	if err != nil || json.Unmarshal(data, &s) != nil {
		t.Fatal(err)
	}
	if s.Status != trace.StatusCompleted || s.Done != 12 || s.Errors != 0 || s.Usage.Total == nil || *s.Usage.Total <= 0 {
		t.Errorf("summary %+v", s)
	}
	if u := s.Usage; *u.AtMost > *u.Total != inFlight || *u.AtMost > 5*money.Dollar {
		t.Errorf("calls in flight: %v; the bill is %s to %s", inFlight, u.Total, u.AtMost)
	}
	for _, r := range p.srv.Requests() {
		if r.Model == "root" && (r.Temperature == nil || *r.Temperature != 0.7 || !bytes.Contains(r.Body, []byte(`"seed":`))) {
			t.Fatal("a request to the policy lacks the temperature or the seed")
		}
	}
	if out, err := p.command("resume", "killed", "--json").Output(); err != nil || !bytes.Contains(out, []byte(`"status": "completed"`)) {
		t.Errorf("resuming what is complete: %v\n%s", err, out)
	}
}

// Ctrl-C once saves the work so far, and says what it cost and how to continue.
func TestInterruptedEvalSaysHowToGoOn(t *testing.T) {
	p := newProgram(t, fakeModels(20*time.Millisecond, something))
	run := p.startUntil(func() bool { return count(p.path("run", eval.ResultsName), "\n") >= 3 },
		"eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "6", "-r", "2", "-c", "2", "--out", "run", "--json")
	run.interrupt(os.Interrupt, "stopping and saving", "rollouts are done: it was interrupted",
		"hint: deeprepo resume run continues from here")
	var s runfile.EvalSummary
	if err := json.Unmarshal(run.printed.Bytes(), &s); err != nil || s.Status != trace.StatusPartial || s.Done < 3 || s.Done >= 12 ||
		s.Reward.N != s.Done {
		t.Errorf("%v: %+v", err, s)
	}
	// What the rows cost is known.
	if u := s.Usage; u.Total == nil || *u.Total <= 0 {
		t.Errorf("usage %+v", u)
	}
	out, err := p.command("resume", "run", "--json").Output()
	if err != nil || json.Unmarshal(out, &s) != nil || s.Status != trace.StatusCompleted || s.Done != 12 {
		t.Errorf("resume: %v\n%s", err, out)
	}
}

// Trouble with workers is the policy's to cope with, and is counted; trouble with the policy's own model is an error,
// never a reward of 0.
func TestProviderTroubleInAnEval(t *testing.T) {
	tests := []struct {
		name  string
		reply func(llmtest.ChatRequest) llmtest.Reply
		code  int
		want  []string
	}{
		{"workers that do not answer", func(r llmtest.ChatRequest) llmtest.Reply {
			if r.Model == "worker" {
				return llmtest.Status(400, "timed out")
			}
			return fakeModels(0, something)(r)
		}, exitOK, []string{"Dispatch errors: ", " dispatches got no reply", "reward: avg - 0.000"}},
		{"a wrong key", func(llmtest.ChatRequest) llmtest.Reply { return llmtest.Status(401, "bad key") },
			exitOutside, []string{"0 of 8 rollouts are done", "401", "then deeprepo resume run"}},
		{"one rollout's call is refused", func(r llmtest.ChatRequest) llmtest.Reply {
			if r.Model == "root" && r.Call == 1 {
				return llmtest.Status(400, "no")
			}
			return fakeModels(0, something)(r)
		}, exitOK, []string{"Errors: 1 of 8 rollouts ended in an error (ModelError 1); no mean counts them", "1 rollouts ended in an error; deeprepo resume run plays them again", "None"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgram(t, tt.reply)
			cmd := p.command("eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "4", "-r", "2", "--out", "run")
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			for _, want := range tt.want {
				if !bytes.Contains(out, []byte(want)) {
					t.Errorf("%q is not said:\n%s", want, out)
				}
			}
			rows, _ := os.ReadFile(p.path("run", eval.ResultsName))
			if bytes.Contains(out, []byte("sk-test-key")) || bytes.Contains(rows, []byte("sk-test-key")) {
				t.Error("the key leaked")
			}
		})
	}
}

func firstDifference(a, b []byte) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-200)
			return fmt.Sprintf("%s\n%s", a[from:min(len(a), i+200)], b[from:min(len(b), i+200)])
		}
	}
	return fmt.Sprintf("%d and %d bytes", len(a), len(b))
}

// A budget shared by all rollouts holds, whichever of them exhausts it, and with a larger one the eval continues to the
// rows that it would have had without a budget.
func TestEvalBudgetIsShared(t *testing.T) {
	for _, tt := range []struct{ name, root, worker, budget string }{
		{"on the policy", "input = 3.0\noutput = 15.0", "input = 0.2\noutput = 1.1", "0.06"},
		{"on a worker", "input = 0.3\noutput = 1.5", "input = 30.0\noutput = 150.0", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgram(t, fakeModels(0, something))
			p.price(tt.root, tt.worker)
			args := []string{"eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "3", "-r", "2", "-c", "2",
				"--max-tokens", "400"}
			p.must(append(args, "--out", "whole")...)
			cmd := p.command(append(args, "--out", "short", "--budget", tt.budget)...)
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != exitOutside || !bytes.Contains(out, []byte("the budget is spent")) ||
				!bytes.Contains(out, []byte("deeprepo resume short --budget USD")) {
				t.Fatalf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
			}
			var s runfile.EvalSummary
			data, err := os.ReadFile(p.path("short", eval.SummaryName))
			if err != nil || json.Unmarshal(data, &s) != nil {
				t.Fatal(err)
			}
			limit, err := money.ParseUSD(tt.budget)
			if err != nil {
				t.Fatal(err)
			}
			if u := s.Usage; u.Total == nil || *u.Total <= 0 || *u.Total > limit || u.Unfinished != nil && *u.Total+*u.Unfinished > limit {
				t.Errorf("%s were spent of %s", u.Total, tt.budget)
			}
			p.must("resume", "short", "--budget", "50")
			if got, want := evalRows(t, p.path("short")), evalRows(t, p.path("whole")); !bytes.Equal(got, want) {
				t.Errorf("the rows differ from those without a budget:\n%s", firstDifference(want, got))
			}
		})
	}
}

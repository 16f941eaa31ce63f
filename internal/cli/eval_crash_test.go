package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// timings are what differs between an eval and its repetition.
var timings = regexp.MustCompile(`"timing":\{.*?"total_ms":[^}]*\}`)

func evalRows(t *testing.T, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, eval.ResultsName))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n != len(timings.FindAll(data, -1)) {
		t.Fatalf("%d rows, and not as many timings", n)
	}
	return timings.ReplaceAll(data, []byte(`"timing":{}`))
}

// dispatchEach is a policy that puts every file in a prompt of its own, and then reports what came back.
const dispatchEach = `prompts = [f"=== FILE: {p} (lines 1-{codebase[p].count(chr(10))}) ===\n{codebase[p]}=== END ===" for p in codebase]
replies = llm_batch(prompts)
print(len(replies), sum(r.startswith("[dispatch failed]") for r in replies))`

// evalModels answers as that policy, and as a worker that claims one defect a prompt.
func evalModels(latency time.Duration) func(llmtest.ChatRequest) llmtest.Reply {
	return func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model == "root" {
			turn := 0
			for _, m := range r.Messages {
				if m.Role == "assistant" {
					turn++
				}
			}
			code := []string{dispatchEach, `set_answer("# Report\n" + "\n".join(f"- {f['file']}:{f['line']}" for f in findings()))`}[min(turn, 1)]
			return llmtest.Reply{Text: "```python\n" + code + "\n```", Input: 1000, Output: 200, Latency: latency}
		}
		path, _, _ := strings.Cut(strings.SplitN(r.Last()+"=== FILE: ? ", "=== FILE: ", 2)[1], " ")
		text := fmt.Sprintf(`{"summary":"s","findings":[{"file":%q,"line":1,"severity":"low","category":"logic","title":"t","evidence":"e","explanation":"e","suggestion":"s","confidence":0.5}]}`, path)
		return llmtest.Reply{Text: text, Input: 1500, Output: 100, Latency: latency}
	}
}

// Kill -9 in the middle of an eval, then resume: the rows are those of an uninterrupted eval to the byte, but for the
// times in them, and at most the calls in flight are paid again.
func TestKillInTheMiddleOfAnEvalThenResume(t *testing.T) {
	const concurrency, dispatches = 3, 8
	var mu sync.Mutex
	calls := 0
	answer := evalModels(10 * time.Millisecond)
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		mu.Lock()
		calls++
		mu.Unlock()
		return answer(r)
	}})
	p := program{t, srv, t.TempDir()}
	p.writeConfig()
	args := []string{"eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "4", "-r", "3", "-c", fmt.Sprint(concurrency),
		"--seed", "5", "--budget", "5", "--temperature", "0.7"}
	out, err := p.command(append(args, "--out", "whole")...).CombinedOutput()
	if err != nil {
		t.Fatalf("uninterrupted: %v\n%s", err, out)
	}
	whole := evalRows(t, filepath.Join(p.dir, "whole"))
	uninterrupted := calls
	calls = 0

	cmd := p.command(append(args, "--out", "killed")...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		rows, _ := os.ReadFile(filepath.Join(p.dir, "killed", eval.ResultsName))
		journals, _ := filepath.Glob(filepath.Join(p.dir, "killed", "rollouts", "*.jsonl"))
		under := false
		for _, name := range journals {
			data, _ := os.ReadFile(name)
			under = under || bytes.Contains(data, []byte(`"kind":"dispatch"`))
		}
		if bytes.Count(rows, []byte("\n")) >= 3 && under {
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("the eval did not get far enough: %s", said.String())
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the eval had ended before it was killed")
	}
	if _, err := os.Stat(filepath.Join(p.dir, "killed", eval.SummaryName)); err == nil {
		t.Fatal("there is a summary of an eval that was killed")
	}
	if out, err := p.command("resume", "killed").CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	if got := evalRows(t, filepath.Join(p.dir, "killed")); !bytes.Equal(got, whole) {
		t.Errorf("the rows differ from those of the uninterrupted eval:\n%s", firstDifference(whole, got))
	}
	if again := calls - uninterrupted; again < 0 || again > concurrency*dispatches {
		t.Errorf("%d calls were made, %d by the uninterrupted eval; at most %d were in flight", calls, uninterrupted, concurrency*dispatches)
	}
	var s eval.Summary
	data, err := os.ReadFile(filepath.Join(p.dir, "killed", eval.SummaryName))
	if err != nil || json.Unmarshal(data, &s) != nil {
		t.Fatal(err)
	}
	if s.Status != trace.StatusCompleted || s.Done != 12 || s.Errors != 0 || s.Usage.Total == nil || *s.Usage.Total <= 0 {
		t.Errorf("summary %+v", s)
	}
	for _, r := range srv.Requests() {
		if r.Model == "root" && (r.Temperature == nil || *r.Temperature != 0.7 || !bytes.Contains(r.Body, []byte(`"seed":`))) {
			t.Fatal("a request to the policy lacks the temperature or the seed")
		}
	}
	if out, err := p.command("resume", "killed", "--json").Output(); err != nil || !bytes.Contains(out, []byte(`"status": "completed"`)) {
		t.Errorf("resuming what is complete: %v\n%s", err, out)
	}
}

// Ctrl-C once saves what is done, says what it cost and how to go on.
func TestInterruptedEvalSaysHowToGoOn(t *testing.T) {
	srv := llmtest.NewServer(t, llmtest.Options{Reply: evalModels(20 * time.Millisecond)})
	p := program{t, srv, t.TempDir()}
	p.writeConfig()
	cmd := p.command("eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "6", "-r", "2", "-c", "2", "--out", "run", "--json")
	var said, printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		rows, _ := os.ReadFile(filepath.Join(p.dir, "run", eval.ResultsName))
		if bytes.Count(rows, []byte("\n")) >= 3 {
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("no rows: %s", said.String())
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitOutside {
		t.Errorf("exit code %d, want %d", code, exitOutside)
	}
	for _, want := range []string{"stopping and saving", "rollouts are done: it was interrupted", "hint: deeprepo resume run goes on from here"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not said:\n%s", want, said.String())
		}
	}
	var s eval.Summary
	if err := json.Unmarshal(printed.Bytes(), &s); err != nil || s.Status != trace.StatusPartial || s.Done < 3 || s.Done >= 12 || s.Reward.N != s.Done {
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
			return evalModels(0)(r)
		}, exitOK, []string{"Dispatch errors: ", " dispatches got no reply", "reward: avg - 0.000"}},
		{"a wrong key", func(llmtest.ChatRequest) llmtest.Reply { return llmtest.Status(401, "bad key") },
			exitOutside, []string{"0 of 8 rollouts are done", "401", "then deeprepo resume run"}},
		{"one rollout's call is refused", func(r llmtest.ChatRequest) llmtest.Reply {
			if r.Model == "root" && r.Call == 1 {
				return llmtest.Status(400, "no")
			}
			return evalModels(0)(r)
		}, exitOK, []string{"Errors: 1 of 8 rollouts ended in an error (ModelError 1); no mean counts them", "1 rollouts ended in an error; deeprepo resume run plays them again", "None"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := program{t, llmtest.NewServer(t, llmtest.Options{Reply: tt.reply}), t.TempDir()}
			p.writeConfig()
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
			rows, _ := os.ReadFile(filepath.Join(p.dir, "run", eval.ResultsName))
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

// A budget that is shared by all rollouts holds, whoever it runs out on, and with a larger one the eval goes on to the
// rows that it would have had without any.
func TestEvalBudgetIsShared(t *testing.T) {
	for _, tt := range []struct{ name, root, worker, budget string }{
		{"on the policy", "input = 3.0\noutput = 15.0", "input = 0.2\noutput = 1.1", "0.06"},
		{"on a worker", "input = 0.3\noutput = 1.5", "input = 30.0\noutput = 150.0", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := llmtest.NewServer(t, llmtest.Options{Reply: evalModels(0)})
			p := program{t, srv, t.TempDir()}
			prices := fmt.Sprintf("[model.\"openai/root\"]\n%s\ncontext = 200000\n[model.\"openai/worker\"]\n%s\ncontext = 100000\n", tt.root, tt.worker)
			if err := os.WriteFile(filepath.Join(p.dir, "deeprepo.toml"), []byte(prices), 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "3", "-r", "2", "-c", "2", "--max-tokens", "400"}
			if out, err := p.command(append(args, "--out", "whole")...).CombinedOutput(); err != nil {
				t.Fatalf("without a budget: %v\n%s", err, out)
			}
			cmd := p.command(append(args, "--out", "short", "--budget", tt.budget)...)
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != exitOutside || !bytes.Contains(out, []byte("the budget is spent")) || !bytes.Contains(out, []byte("deeprepo resume short --budget USD")) {
				t.Fatalf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
			}
			var s eval.Summary
			data, err := os.ReadFile(filepath.Join(p.dir, "short", eval.SummaryName))
			if err != nil || json.Unmarshal(data, &s) != nil {
				t.Fatal(err)
			}
			limit, err := llm.ParseUSD(tt.budget)
			if err != nil {
				t.Fatal(err)
			}
			if u := s.Usage; u.Total == nil || *u.Total <= 0 || *u.Total > limit || u.Unfinished != nil && *u.Total+*u.Unfinished > limit {
				t.Errorf("%s were spent of %s", u.Total, tt.budget)
			}
			if out, err := p.command("resume", "short", "--budget", "50").CombinedOutput(); err != nil {
				t.Fatalf("resume: %v\n%s", err, out)
			}
			if got, want := evalRows(t, filepath.Join(p.dir, "short")), evalRows(t, filepath.Join(p.dir, "whole")); !bytes.Equal(got, want) {
				t.Errorf("the rows differ from those without a budget:\n%s", firstDifference(want, got))
			}
		})
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// codeModel answers tasks of the form "def add_7(x)": right where the number is even. The model called sick refuses its
// third and fourth call.
func codeModel(latency time.Duration) func(llmtest.ChatRequest) llmtest.Reply {
	var mu sync.Mutex
	calls := map[string]int{}
	return func(r llmtest.ChatRequest) llmtest.Reply {
		mu.Lock()
		calls[r.Model]++
		call := calls[r.Model]
		mu.Unlock()
		if r.Model == "sick" && (call == 3 || call == 4) {
			return llmtest.Status(401, "key revoked")
		}
		n, ok := runtest.Adder(r.Last())
		if !ok {
			return llmtest.Status(400, "no task in the prompt")
		}
		body := fmt.Sprintf("    return x + %d\n", n-n%2)
		text := fmt.Sprintf("Here it is:\n\n```python\ndef add_%d(x):\n%s```\n", n, body)
		if r.API == "completions" {
			text = "\n" + body + "\n\ndef beyond(): # not a part of it\n    return"
		}
		return llmtest.Reply{Text: text, Input: 100, Output: 20, Latency: latency}
	}
}

// Kill -9 in the middle of a code eval, then resume: exactly the samples that were not in the file are asked again, and
// the verdicts are those of an uninterrupted run.
func TestKillInTheMiddleOfACodeEvalThenResume(t *testing.T) {
	p := program{t, llmtest.NewServer(t, llmtest.Options{Reply: codeModel(30 * time.Millisecond)}), t.TempDir()} // no prices
	p.write("tasks.jsonl", runtest.Adders(6))
	run := func(args ...string) *bytes.Buffer {
		t.Helper()
		var said bytes.Buffer
		cmd := p.command(args...)
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said.String())
		}
		return bytes.NewBuffer(out)
	}
	args := []string{"code", "eval", "humaneval", "--data", "tasks.jsonl", "-m", "openai/coder", "-n", "3", "-t", "0.7", "-c", "2",
		"--json", "--out"}
	var whole, resumed runfile.CodeEvalSummary
	if err := json.Unmarshal(run(append(args, "whole")...).Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	if whole.Passed != 9 || whole.Total != 18 || whole.PassAtK["3"] != 0.5 {
		t.Errorf("the whole run: %+v", whole.CodeSummary)
	}
	samples := p.path("killed", codeeval.SamplesName)
	p.killWhen(func() bool { return count(samples, "\n") >= 5 }, append(args, "killed")...)
	text, err := os.ReadFile(samples)
	if err != nil {
		t.Fatal(err)
	}
	had, before := bytes.Count(text, []byte("\n")), p.srv.Calls()
	if had >= 18 {
		t.Fatal("it was over before it was killed")
	}
	if err := json.Unmarshal(run("resume", "killed", "--json").Bytes(), &resumed); err != nil {
		t.Fatal(err)
	}
	if calls := p.srv.Calls() - before; calls != 18-had {
		t.Errorf("%d samples were there, and %d calls made", had, calls)
	}
	if resumed.Passed != whole.Passed || resumed.Total != whole.Total || resumed.Generation.Usage != whole.Generation.Usage ||
		!resumed.Complete {
		t.Errorf("resumed: %+v", resumed)
	}
	for i, line := range resumed.PerTask {
		if line != whole.PerTask[i] {
			t.Errorf("%+v, and %+v in the whole run", line, whole.PerTask[i])
		}
	}
}

// A cap on the cost holds with many calls in flight, and with a larger one the eval continues.
func TestCodeEvalBudget(t *testing.T) {
	p := newProgram(t, codeModel(0))
	p.write("tasks.jsonl", runtest.Adders(8))
	// A call costs 100 x $3 + 20 x $15 a million tokens, $0.0006; 8 of them $0.0048.
	cmd := p.command("code", "eval", "humaneval", "--data", "tasks.jsonl", "-m", "openai/root", "--budget", "0.004", "--max-tokens", "50",
		"-c", "4", "--out", "run", "--json")
	out, err := cmd.Output()
	var s runfile.CodeEvalSummary
	if cmd.ProcessState.ExitCode() != exitOutside || json.Unmarshal(out, &s) != nil {
		t.Fatalf("exit code %d, %v\n%s", cmd.ProcessState.ExitCode(), err, out)
	}
	if g := s.Generation; g.Made < 3 || g.Made >= 7 || g.Cost == nil || *g.Cost > 4_000_000_000 || s.Withheld == "" {
		t.Errorf("%+v", s)
	}
	text, err := p.command("resume", "run").CombinedOutput()
	if err == nil || !bytes.Contains(text, []byte("--budget USD continues with a larger budget")) {
		t.Errorf("resumed without money: %v\n%s", err, text)
	}
	out, err = p.command("resume", "run", "--budget", "0.02", "--json").Output()
	if err != nil || json.Unmarshal(out, &s) != nil || s.Passed != 4 || s.Total != 8 || *s.Generation.Cost != 4_800_000_000 ||
		p.srv.Calls() != 8 {
		t.Errorf("%v after %d calls\n%s", err, p.srv.Calls(), out)
	}
}

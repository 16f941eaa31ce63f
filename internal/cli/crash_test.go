package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

// program is this test binary run as deeprepo against a fake model server.
type program struct {
	t   *testing.T
	srv *llmtest.Server
	dir string
}

func (p program) command(args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "DEEPREPO_TEST_AS_PROGRAM=1", "DEEPREPO_CACHE="+cacheDir(p.t), "OPENAI_API_KEY=sk-test-key-0123456789",
		"OPENAI_BASE_URL="+p.srv.URL+"/v1", "ANTHROPIC_API_KEY=", "OPENROUTER_API_KEY=")
	return cmd
}

// config prices the fake models and turns the shared reply cache off by naming the models after the test.
func (p program) writeConfig() {
	text := `[model."openai/root"]
input = 3.0
output = 15.0
context = 200000
[model."openai/worker"]
input = 0.2
output = 1.1
context = 100000
`
	if err := os.WriteFile(filepath.Join(p.dir, "deeprepo.toml"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func writeFiles(t *testing.T, dir string, n int) {
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		text := fmt.Sprintf("VALUE_%02d = %d\n\n\ndef f%02d(x):\n    return x + VALUE_%02d\n%s", i, i, i, i,
			strings.Repeat("# filler line that takes room\n", 150))
		if err := os.WriteFile(filepath.Join(dir, "src", fmt.Sprintf("f%02d.py", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const oneEach = `prompts = [f"=== FILE: {p} (lines 1-155 of 155) ===\n{codebase[p]}=== END ===" for p in codebase]
replies = llm_batch(prompts)
print(len(replies), sum(r.startswith("[dispatch failed]") for r in replies))`

// fakeModels answers as a root that dispatches every file and then reports, and as a worker that finds one defect.
func fakeModels(latency time.Duration) func(llmtest.ChatRequest) llmtest.Reply {
	return func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model == "root" {
			turn := 0
			for _, m := range r.Messages {
				if m.Role == "assistant" {
					turn++
				}
			}
			code := []string{oneEach, `set_answer("# Report\n" + "\n".join(f"- {f['file']}:{f['line']}" for f in findings()))`}[min(turn, 1)]
			return llmtest.Reply{Text: "```python\n" + code + "\n```", Input: 1000, Output: 200}
		}
		_, rest, _ := strings.Cut(r.Last(), "=== FILE: ")
		path, _, _ := strings.Cut(rest, " ")
		var i int
		fmt.Sscanf(filepath.Base(path), "f%d.py", &i)
		text := fmt.Sprintf(`{"summary":"s","findings":[{"file":%q,"line":99,"severity":"medium","category":"logic","title":"adds a constant %02d","evidence":"return x + VALUE_%02d","explanation":"e","suggestion":"s","confidence":0.8}]}`, path, i, i)
		return llmtest.Reply{Text: text, Input: 1500, Output: 100, Latency: latency}
	}
}

func readReport(t *testing.T, dir string) runfile.Report {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r runfile.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// same compares what two runs must agree in: everything but when and how long.
func same(r runfile.Report) runfile.Report {
	r.Run.ID, r.Run.StartedAt, r.Run.DurationS = "", time.Time{}, 0
	return r
}

// Kill -9 in the middle of a batch, then resume: at most the calls in flight are paid again, and the report is the one
// that an uninterrupted run makes.
func TestKillInTheMiddleOfABatchThenResume(t *testing.T) {
	const files, concurrency = 48, 8
	var mu sync.Mutex
	asked := map[string]int{}
	answer := fakeModels(30 * time.Millisecond)
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model == "worker" {
			mu.Lock()
			asked[r.Last()]++
			mu.Unlock()
		}
		return answer(r)
	}})
	p := program{t, srv, t.TempDir()}
	p.writeConfig()
	writeFiles(t, p.dir, files)
	args := []string{"analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache",
		"--concurrency", fmt.Sprint(concurrency), "--budget", "5"}

	if out, err := p.command(append(args, "--out", "whole")...).CombinedOutput(); err != nil {
		t.Fatalf("uninterrupted: %v\n%s", err, out)
	}
	whole := readReport(t, filepath.Join(p.dir, "whole"))
	if whole.Run.Status != "completed" || len(whole.Findings) != files || whole.Dispatches != files {
		t.Fatalf("uninterrupted: %+v, %d findings", whole.Run, len(whole.Findings))
	}
	clear(asked)

	cmd := p.command(append(args, "--out", "killed")...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(p.dir, "killed", "trace.jsonl")
	deadline := time.Now().Add(20 * time.Second)
	for {
		data, _ := os.ReadFile(journal)
		if bytes.Count(data, []byte(`"kind":"dispatch"`)) >= files/3 {
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("the run did not come to its dispatches: %s", said.String())
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the run had ended before it was killed")
	}
	if _, err := os.Stat(filepath.Join(p.dir, "killed", "report.json")); err == nil {
		t.Fatal("there is a report of a run that was killed")
	}
	if out, err := p.command("resume", "killed").CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	if diff := cmp.Diff(same(whole), same(readReport(t, filepath.Join(p.dir, "killed")))); diff != "" {
		t.Errorf("the resumed report differs (-whole +resumed):\n%s", diff)
	}
	repeated := 0
	for _, n := range asked {
		repeated += n - 1
	}
	if len(asked) != files || repeated > concurrency {
		t.Errorf("%d prompts were asked, %d of them again; at most %d were in flight", len(asked), repeated, concurrency)
	}
}

// Dollars are exact, and the budget holds at concurrency 64 while the provider storms with 429s and faults.
func TestMoneyIsExactUnderFaults(t *testing.T) {
	const files = 120
	answer := fakeModels(5 * time.Millisecond)
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		switch {
		case r.Model == "worker" && r.Call%7 == 3:
			return llmtest.RateLimited(0)
		case r.Model == "worker" && r.Call%11 == 5:
			return llmtest.Status(503, "overloaded")
		}
		return answer(r)
	}})
	p := program{t, srv, t.TempDir()}
	p.writeConfig()
	writeFiles(t, p.dir, files)
	run := func(budget string) (runfile.Report, []byte) {
		cmd := p.command("analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache",
			"--concurrency", "64", "--budget", budget, "--out", "run-"+budget)
		out, _ := cmd.CombinedOutput()
		return readReport(t, filepath.Join(p.dir, "run-"+budget)), out
	}
	r, out := run("5")
	if r.Run.Status != "completed" || r.Dispatches != files || r.Errors.Dispatch != 0 || len(r.Findings) != files {
		t.Fatalf("status %+v, %d dispatches (%d failed), %d findings\n%s", r.Run, r.Dispatches, r.Errors.Dispatch, len(r.Findings), out)
	}
	// Two root replies at 3/15 $/M, and one worker reply a file at 0.2/1.1 $/M, by the server's own books.
	want := (2*(1000*3e6+200*15e6) + files*(1500*0.2e6+100*1.1e6)) / 1e12
	if r.Usage.TotalCostUSD == nil || fmt.Sprintf("%.12f", *r.Usage.TotalCostUSD) != fmt.Sprintf("%.12f", want) {
		t.Errorf("the bill is %v, want %.12f", *r.Usage.TotalCostUSD, want)
	}
	books := srv.Usage()
	if books.Input != 2*1000+files*1500 || books.Output != 2*200+files*100 {
		t.Errorf("the server's books: %+v", books)
	}
	if bytes.Contains(out, []byte("sk-test-key")) {
		t.Error("the key was printed")
	}

	r, out = run("0.1")
	if r.Usage.TotalCostUSD == nil || *r.Usage.TotalCostUSD > 0.1 {
		t.Errorf("a budget of 0.1 was exceeded: %v\n%s", r.Usage.TotalCostUSD, out)
	}
}

// What the provider is doing wrong is said, the paid part is kept, and the exit code is 3.
func TestProviderTroubleLeavesAPartialReport(t *testing.T) {
	tests := []struct {
		name  string
		reply func(r llmtest.ChatRequest) llmtest.Reply
		want  string
	}{
		{"wrong key", func(llmtest.ChatRequest) llmtest.Reply { return llmtest.Status(401, "bad key sk-test-key-0123456789") }, "401"},
		{"unknown model", func(llmtest.ChatRequest) llmtest.Reply {
			return llmtest.Reply{Status: 404, Error: "The model `root` does not exist", Code: "model_not_found"}
		}, "does not exist"},
		{"the root falls silent after the workers were paid", func(r llmtest.ChatRequest) llmtest.Reply {
			if r.Model == "root" && len(r.Messages) > 2 {
				return llmtest.Status(400, "no more")
			}
			return fakeModels(0)(r)
		}, "no more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := program{t, llmtest.NewServer(t, llmtest.Options{Reply: tt.reply}), t.TempDir()}
			p.writeConfig()
			writeFiles(t, p.dir, 4)
			cmd := p.command("analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache", "--out",
				"run")
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != exitOutside {
				t.Errorf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out)
			}
			for _, want := range []string{tt.want, "deeprepo resume run"} {
				if !bytes.Contains(out, []byte(want)) {
					t.Errorf("%q is not said:\n%s", want, out)
				}
			}
			trace, _ := os.ReadFile(filepath.Join(p.dir, "run", "trace.jsonl"))
			if bytes.Contains(out, []byte("sk-test-key")) || bytes.Contains(trace, []byte("sk-test-key")) {
				t.Error("the key leaked")
			}
			if r := readReport(t, filepath.Join(p.dir, "run")); strings.HasPrefix(tt.name, "the root") &&
				(r.Run.Status != "partial" || len(r.Findings) != 4) {
				t.Errorf("status %s, %d findings: what was paid for is lost", r.Run.Status, len(r.Findings))
			}
		})
	}
}

// Ctrl-C once stops and saves; resume continues from there.
func TestInterruptSavesAndResumeGoesOn(t *testing.T) {
	const files = 40
	srv := llmtest.NewServer(t, llmtest.Options{Reply: fakeModels(50 * time.Millisecond)})
	p := program{t, srv, t.TempDir()}
	p.writeConfig()
	writeFiles(t, p.dir, files)
	cmd := p.command("analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache",
		"--concurrency", "4", "--out", "run")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		data, _ := os.ReadFile(filepath.Join(p.dir, "run", "trace.jsonl"))
		if bytes.Count(data, []byte(`"kind":"dispatch"`)) >= 8 {
			break
		}
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatalf("no dispatches: %s", said.String())
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
	for _, want := range []string{"stopping and saving", "interrupted", "hint: deeprepo resume run"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not said:\n%s", want, said.String())
		}
	}
	r := readReport(t, filepath.Join(p.dir, "run"))
	if r.Run.Status != "partial" || len(r.Findings) < 8 || len(r.Findings) >= files {
		t.Errorf("status %s with %d findings", r.Run.Status, len(r.Findings))
	}
	if out, err := p.command("resume", "run").CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	if r = readReport(t, filepath.Join(p.dir, "run")); r.Run.Status != "completed" || len(r.Findings) != files {
		t.Errorf("after resume: status %s with %d findings", r.Run.Status, len(r.Findings))
	}
}

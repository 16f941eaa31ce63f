package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

func writeFiles(p program, n int) {
	p.t.Helper()
	for i := range n {
		p.write(fmt.Sprintf("src/f%02d.py", i), fmt.Sprintf("VALUE_%02d = %d\n\n\ndef f%02d(x):\n    return x + VALUE_%02d\n%s", i, i, i, i,
			strings.Repeat("# filler line that takes room\n", 150)))
	}
}

// adding is the finding that there is in each of writeFiles' files.
func adding(path string) string {
	var i int
	fmt.Sscanf(filepath.Base(path), "f%d.py", &i)
	return fmt.Sprintf(`{"file":%q,"line":99,"severity":"medium","category":"logic",`+
		`"title":"adds a constant %02d","evidence":"return x + VALUE_%02d","explanation":"e","suggestion":"s","confidence":0.8}`, path, i, i)
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
	answer := fakeModels(30*time.Millisecond, adding)
	p := newProgram(t, func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model == "worker" {
			mu.Lock()
			asked[r.Last()]++
			mu.Unlock()
		}
		return answer(r)
	})
	writeFiles(p, files)
	args := []string{"analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache",
		"--concurrency", fmt.Sprint(concurrency), "--budget", "5"}

	p.must(append(args, "--out", "whole")...)
	whole := readReport(t, p.path("whole"))
	if whole.Run.Status != "completed" || len(whole.Findings) != files || whole.Dispatches != files {
		t.Fatalf("uninterrupted: %+v, %d findings", whole.Run, len(whole.Findings))
	}
	clear(asked)

	p.killWhen(func() bool { return count(p.path("killed", "trace.jsonl"), `"kind":"dispatch"`) >= files/3 }, append(args, "--out",
		"killed")...)
	if _, err := os.Stat(p.path("killed", "report.json")); err == nil {
		t.Fatal("there is a report of a run that was killed")
	}
	inFlight := unsettled(t, p.path("killed", "trace.jsonl"))
	p.must("resume", "killed")
	resumed := readReport(t, p.path("killed"))
	// The calls that were in flight at the kill may have been billed: nobody will ever know.
	if u := resumed.Usage; u.AtMostUSD == nil || *u.AtMostUSD > *u.TotalCostUSD != inFlight || *u.AtMostUSD > 5 {
		t.Errorf("calls in flight: %v; the bill is %v to %v", inFlight, *u.TotalCostUSD, *u.AtMostUSD)
	}
	resumed.Usage.AtMostUSD = whole.Usage.AtMostUSD
	if diff := cmp.Diff(same(whole), same(resumed)); diff != "" {
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
	answer := fakeModels(5*time.Millisecond, adding)
	p := newProgram(t, func(r llmtest.ChatRequest) llmtest.Reply {
		switch {
		case r.Model == "worker" && r.Call%7 == 3:
			return llmtest.RateLimited(0)
		case r.Model == "worker" && r.Call%11 == 5:
			return llmtest.Status(503, "overloaded")
		}
		return answer(r)
	})
	writeFiles(p, files)
	run := func(budget string) (runfile.Report, []byte) {
		cmd := p.command("analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache",
			"--concurrency", "64", "--budget", budget, "--out", "run-"+budget)
		out, _ := cmd.CombinedOutput()
		return readReport(t, p.path("run-"+budget)), out
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
	books := p.srv.Usage()
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
			return fakeModels(0, adding)(r)
		}, "no more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgram(t, tt.reply)
			writeFiles(p, 4)
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
			trace, _ := os.ReadFile(p.path("run", "trace.jsonl"))
			if bytes.Contains(out, []byte("sk-test-key")) || bytes.Contains(trace, []byte("sk-test-key")) {
				t.Error("the key leaked")
			}
			if r := readReport(t, p.path("run")); strings.HasPrefix(tt.name, "the root") && (r.Run.Status != "partial" || len(r.Findings) != 4) {
				t.Errorf("status %s, %d findings: what was paid for is lost", r.Run.Status, len(r.Findings))
			}
		})
	}
}

// Ctrl-C once stops and saves, and so does a terminal that closes; resume continues from there.
func TestInterruptSavesAndResumeGoesOn(t *testing.T) {
	for _, how := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		t.Run(how.String(), func(t *testing.T) {
			const files = 40
			p := newProgram(t, fakeModels(50*time.Millisecond, adding))
			writeFiles(p, files)
			p.startUntil(func() bool { return count(p.path("run", "trace.jsonl"), `"kind":"dispatch"`) >= 8 },
				"analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache", "--concurrency", "4",
				"--out", "run").
				interrupt(how, "stopping and saving", "interrupted", "hint: deeprepo resume run")
			r := readReport(t, p.path("run"))
			if r.Run.Status != "partial" || len(r.Findings) < 8 || len(r.Findings) >= files {
				t.Errorf("status %s with %d findings", r.Run.Status, len(r.Findings))
			}
			p.must("resume", "run")
			if r = readReport(t, p.path("run")); r.Run.Status != "completed" || len(r.Findings) != files {
				t.Errorf("after resume: status %s with %d findings", r.Run.Status, len(r.Findings))
			}
		})
	}
}

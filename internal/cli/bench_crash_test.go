package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/bench"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const benchFile = `budget = 5.0
target = "each"
[[codebase]]
environment = "orchestration"
count = 2
seed = 5
[[config]]
name = "each"
root = "openai/root"
worker = "openai/worker"
[[config]]
name = "held"
root = "openai/root"
worker = "openai/worker"
strategy = "rlm+gate"
[[config]]
name = "one"
root = "openai/worker"
strategy = "single"
`

func benchResult(t *testing.T, dir string) bench.Result {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "bench.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r bench.Result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	r.StartedAt = time.Time{}
	for i := range r.Codebases {
		r.Codebases[i].Path = ""
	}
	return r
}

// Kill -9 in the middle of a run of a bench, then resume: the tables are those of an uninterrupted bench, and at most
// the calls in flight are paid again.
func TestKillInTheMiddleOfABenchThenResume(t *testing.T) {
	var mu sync.Mutex
	calls := 0
	answer := fakeModels(60*time.Millisecond, something)
	p := newProgram(t, func(r llmtest.ChatRequest) llmtest.Reply {
		mu.Lock()
		calls++
		mu.Unlock()
		return answer(r)
	})
	p.write("bench.toml", benchFile)
	p.must("bench", "bench.toml", "--out", "whole")
	whole := benchResult(t, p.path("whole"))
	uninterrupted := calls
	calls = 0
	for _, row := range whole.Rows {
		if row.CostUSD == nil || *row.CostUSD <= 0 || row.Done != 2 {
			t.Fatalf("%s: cost %v, %d runs done", row.Config, row.CostUSD, row.Done)
		}
	}

	// The second configuration's run has a dispatch in its trace, and another one is on its way.
	journal := p.path("killed", "runs", "01-*", "02-held", "trace.jsonl")
	p.killWhen(func() bool { return dispatched(journal) && unsettled(t, journal) }, "bench", "bench.toml", "--out", "killed")
	if _, err := os.Stat(p.path("killed", "bench.json")); err == nil {
		t.Fatal("there are tables of a bench that was killed")
	}
	out := p.must("resume", "killed")
	if strings.Contains(string(out), "run 1/6") || !strings.Contains(string(out), "run 2/6") {
		t.Errorf("a finished run was begun again, or the interrupted one was not:\n%s", out)
	}
	killed := benchResult(t, p.path("killed"))
	// The calls that were in flight at the kill may have been billed: nobody will ever know.
	if low, high := *killed.SpentUSD, *killed.AtMostUSD; high <= low || high > 5 || *whole.AtMostUSD != *whole.SpentUSD ||
		!strings.Contains(string(out), "spent "+report.Dollars(&low)+" to "+report.Dollars(&high)) {
		t.Errorf("the bill is %v to %v\n%s", low, high, out)
	}
	killed.AtMostUSD = whole.AtMostUSD
	for i := range killed.Rows {
		killed.Rows[i].AtMostUSD = whole.Rows[i].AtMostUSD
		for n := range killed.Rows[i].Runs {
			killed.Rows[i].Runs[n].AtMostUSD = whole.Rows[i].Runs[n].AtMostUSD
		}
	}
	opts := []cmp.Option{cmpopts.IgnoreUnexported(bench.Review{}), cmpopts.IgnoreFields(bench.Review{}, "DurationS"), cmpopts.EquateNaNs()}
	if diff := cmp.Diff(whole, killed, opts...); diff != "" {
		t.Errorf("the tables differ from those of the uninterrupted bench:\n%s", diff)
	}
	const concurrency = 8
	if calls < uninterrupted || calls > uninterrupted+concurrency {
		t.Errorf("%d calls with the kill, %d without", calls, uninterrupted)
	}
}

// A root whose provider always fails costs only its own row, and the program says how to continue.
func TestBenchWithAFailingRoot(t *testing.T) {
	answer := fakeModels(0, something)
	p := program{t, llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model == "broken" {
			return llmtest.Status(401, "no such account \x1b[31m")
		}
		return answer(r)
	}}), t.TempDir()} // no prices
	text := strings.Replace(strings.Replace(benchFile, `root = "openai/root"`, `root = "openai/broken"`, 1), "budget = 5.0", "", 1)
	p.write("bench.toml", text)
	cmd := p.command("bench", "bench.toml", "--out", "out")
	var said bytes.Buffer
	cmd.Stderr = &said
	stdout, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != 3 {
		t.Fatalf("exit code %d: %v\n%s", cmd.ProcessState.ExitCode(), err, said.String())
	}
	r := benchResult(t, p.path("out"))
	for i, want := range []int{0, 2, 2} {
		if r.Rows[i].Done != want {
			t.Errorf("%s: %d runs done, want %d", r.Rows[i].Config, r.Rows[i].Done, want)
		}
	}
	if r.Rows[0].Findings != nil || r.Rows[1].CostUSD != nil {
		t.Errorf("what is not known is a number: %v, %v", r.Rows[0].Findings, r.Rows[1].CostUSD)
	}
	if !strings.Contains(string(stdout), "no such account") || strings.Contains(string(stdout)+said.String(), "\x1b") {
		t.Errorf("%s%s", stdout, said.String())
	}
	if !strings.Contains(said.String(), "deeprepo resume out continues") {
		t.Errorf("no way on:\n%s", said.String())
	}
}

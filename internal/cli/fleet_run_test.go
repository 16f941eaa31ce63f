//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// onWorker fails the test unless the run says that this worker, and nobody else, did items of it, and gives how many.
func (p *fleetProgram) onWorker(run, name string) int64 {
	p.t.Helper()
	w := kept(p.t, p.path(run))
	if w.URL != p.url || len(w.Workers) != 1 || w.Workers[0].Name != name || w.Workers[0].Items == 0 ||
		w.Workers[0].Kinds["judge"] != w.Workers[0].Items || w.Workers[0].Last.Before(w.Workers[0].First) {
		p.t.Fatalf("%s: %+v", run, w)
	}
	return w.Workers[0].Items
}

// Every command with a directory that has its programs run on a fleet says there who ran them, over all its executions.
func TestARunSaysWhichWorkerDidWhat(t *testing.T) {
	p := newFleetWith(t, func(llmtest.ChatRequest) llmtest.Reply {
		return llmtest.Reply{Text: "```python\ndef add(a, b):\n    return a + b\n```", Input: 10, Output: 5}
	})
	p.hub()
	p.worker("one")
	run := p.verify()
	p.wait("verdicts", func() bool { return p.judged() >= 60 })
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	stopped := p.onWorker("fleet", "one")
	p.end(p.begin(p.fleetCommand("coordinator", "resume", "fleet")))
	if all := p.onWorker("fleet", "one"); all <= stopped {
		t.Errorf("%d items in all, %d before it was taken up again", all, stopped)
	}
	p.sameAsAlone()
	if _, err := os.Stat(p.path("alone", runfile.FleetName)); err == nil {
		t.Error("a run of one machine has a fleet.json")
	}

	shown := string(p.must("show", "fleet"))
	if !regexp.MustCompile(`^items of the fleet by worker: one [1-9]\d*\n$`).MatchString(shown) {
		t.Errorf("show says %q", shown)
	}
	var asJSON runfile.FleetWork
	if err := json.Unmarshal(p.must("show", "fleet", "--json"), &asJSON); err != nil || asJSON.URL != p.url {
		t.Errorf("%+v, %v", asJSON, err)
	}
	if out, err := p.command("show", "alone").CombinedOutput(); err == nil || !strings.Contains(string(out), "holds no report of a review") {
		t.Errorf("%v: %s", err, out)
	}

	p.end(p.begin(p.fleetCommand("coordinator", "code", "eval", "humaneval", "--data", "tasks.jsonl", "-m", "openai/worker", "--out", "eval",
		"--fleet", p.url)))
	p.onWorker("eval", "one")
	p.end(p.begin(p.fleetCommand("coordinator", "code", "rescore", "--dataset", "humaneval", "--data", "tasks.jsonl", "samples.jsonl", "--out",
		"rescored", "--fleet", p.url)))
	p.onWorker("rescored", "one")
	built := p.begin(p.fleetCommand("coordinator", "pairs", "build", "--dataset", "humaneval", "--data", "tasks.jsonl", "--samples",
		"samples.jsonl", "--test-split", "--out", "pairs", "--fleet", p.url))
	_ = built.Wait() // one task is too few for pairs that pass every filter
	p.onWorker("pairs", "one")
}

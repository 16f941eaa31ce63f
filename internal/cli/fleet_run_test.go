//go:build unix

package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// onWorker fails the test unless the run says that this worker, and nobody else, did items of it, all of one kind, and gives how many.
func (p *fleetProgram) onWorker(run, name, kind string) int64 {
	p.t.Helper()
	w := kept(p.t, p.path(run))
	if w.URL != p.url || len(w.Workers) != 1 || w.Workers[0].Name != name || w.Workers[0].Items == 0 ||
		w.Workers[0].Kinds[kind] != w.Workers[0].Items || w.Workers[0].Last.Before(w.Workers[0].First) {
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
	stopped := p.onWorker("fleet", "one", "judge")
	p.end(p.begin(p.fleetCommand("coordinator", "resume", "fleet")))
	if all := p.onWorker("fleet", "one", "judge"); all <= stopped {
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
	p.onWorker("eval", "one", "judge")
	p.end(p.begin(p.fleetCommand("coordinator", "code", "rescore", "--dataset", "humaneval", "--data", "tasks.jsonl", "samples.jsonl", "--out",
		"rescored", "--fleet", p.url)))
	p.onWorker("rescored", "one", "judge")
	built := p.begin(p.fleetCommand("coordinator", "pairs", "build", "--dataset", "humaneval", "--data", "tasks.jsonl", "--samples",
		"samples.jsonl", "--test-split", "--out", "pairs", "--fleet", p.url))
	_ = built.Wait() // one task is too few for pairs that pass every filter
	p.onWorker("pairs", "one", "judge")
}

// page is what deeprepo ui answers about its fleet.
func (p *fleetProgram) page(address string) (f ui.Fleet) {
	answer, err := http.Get(address + "/api/fleet")
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&f); err != nil {
		p.t.Fatal(err)
	}
	return f
}

// The page of a fleet: there before its hub is, and again after that was gone.
func TestThePageOfAFleet(t *testing.T) {
	p := newFleet(t)
	p.url = "nats://127.0.0.1:" + freePort(t)
	out, err := os.Create(p.path("ui.out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := p.fleetCommand("coordinator", "ui", "--no-open", "--fleet", p.url) // no run is there, either
	cmd.Stdout = out
	p.begin(cmd)
	address := ""
	p.wait("the page's address", func() bool {
		text, _ := os.ReadFile(out.Name())
		address = strings.TrimSpace(string(text))
		return strings.HasSuffix(string(text), "\n")
	})
	if f := p.page(address); f.Problem == "" || f.Hint == "" || f.URL != p.url {
		t.Errorf("without a hub: %+v", f)
	}
	hub := p.hub()
	p.worker("one")
	there := func() bool {
		f := p.page(address)
		return f.Problem == "" && len(f.Workers) == 1 && f.Workers[0].Name == "one"
	}
	p.wait("the worker on the page", there)
	if err := hub.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = hub.Wait()
	p.wait("a word on the page", func() bool { f := p.page(address); return f.Problem != "" && len(f.Workers) == 1 })
	p.hub()
	p.wait("the worker on the page, again", there)
	p.interrupt(cmd)

	refused, err := p.fleetCommand("worker", "ui", "--no-open", "--fleet", p.url).CombinedOutput()
	if err == nil || !strings.Contains(string(refused), "worker.nk may not do this") {
		t.Errorf("with the key of a worker: %v: %s", err, refused)
	}
}

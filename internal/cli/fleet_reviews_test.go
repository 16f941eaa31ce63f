//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
)

// notTheSame are the parts of a report in which two reviews of one codebase differ: names and times of the run, and calls that
// may have been billed twice where somebody was killed.
var notTheSame = regexp.MustCompile(`"(id": "2|started_at|duration_s|at_most_usd|path": "/|wall_ms|calls)[^\n]*`)

// callsIn counts the calls of a report, those among them that were lost in flight.
func callsIn(report []byte) (n int) {
	for _, m := range regexp.MustCompile(`"calls": (\d+)`).FindAllSubmatch(report, -1) {
		k, _ := strconv.Atoi(string(m[1]))
		n += k
	}
	return n
}

// reviewed waits until so many reviews of a list have a report.
func (e *fleetEval) reviewed(n int) {
	e.t.Helper()
	e.wait("reviews", func() bool {
		have := 0
		for i := range reviewsOfAList {
			if _, err := os.Stat(e.path("fleet", "runs", fmt.Sprintf("c%d", i), "report.json")); err == nil {
				have++
			}
		}
		return have >= n
	})
}

const reviewsOfAList = 6

// newFleetList is a list of codebases that is reviewed alone and on a fleet, by models that cost something.
func newFleetList(t *testing.T) *fleetEval {
	t.Parallel()
	e := &fleetEval{fleetProgram: &fleetProgram{program: newProgram(t, fakeModels(10*time.Millisecond, something)), slots: 2}}
	var list string
	for i := range reviewsOfAList {
		list += fmt.Sprintf("c%d\n", i)
		for f := range 12 {
			e.write(fmt.Sprintf("c%d/f%d.py", i, f), fmt.Sprintf("def f%d(x):\n    return x + %d\n", f, i))
		}
	}
	e.write("list", list)
	e.args = []string{"analyze", "--list", "list", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache",
		"--budget", "5"}
	e.must(append(e.args, "--out", "alone")...)
	e.calls = e.srv.Calls()
	e.atHub = e.hub()
	return e
}

func (e *fleetEval) playList() *exec.Cmd {
	if _, err := os.Stat(e.path("fleet")); err == nil {
		return e.begin(e.coordinator("resume", "fleet"))
	}
	return e.begin(e.coordinator(append(e.args, "--out", "fleet", "--fleet", e.url)...))
}

// sameReviews compares the reports of all with those of one machine.
func (e *fleetEval) sameReviews(kills int) {
	e.t.Helper()
	lost := 0
	for i := range reviewsOfAList {
		var texts [][]byte
		calls := map[string]int{}
		for _, dir := range []string{"alone", "fleet"} {
			text, err := os.ReadFile(e.path(dir, "runs", fmt.Sprintf("c%d", i), "report.json"))
			if err != nil {
				e.t.Fatal(err)
			}
			texts = append(texts, notTheSame.ReplaceAll(text, nil))
			calls[dir] = callsIn(text)
		}
		if more := calls["fleet"] - calls["alone"]; more < 0 {
			e.t.Errorf("the report of c%d lacks %d calls", i, -more)
		} else {
			lost += more
		}
		if !bytes.Equal(texts[0], texts[1]) {
			e.t.Errorf("the report of c%d differs from that of one machine:\n%s", i, firstDifference(texts[0], texts[1]))
		}
	}
	if lost > kills*e.slots*evalAtOnce {
		e.t.Errorf("the reports count %d calls as lost after %d kills", lost, kills)
	}
	if again := e.srv.Calls() - 2*e.calls; again < 0 || again > kills*e.slots*evalAtOnce {
		e.t.Errorf("%d calls were made twice after %d kills", again, kills)
	}
}

func TestReviewsFleetLosesAWorkerAndItsHub(t *testing.T) {
	e := newFleetList(t)
	first := e.worker("first")
	e.worker("second")
	run := e.playList()
	e.reviewed(1)
	kill(t, first)
	e.reviewed(3)
	kill(t, e.atHub)
	e.hub()
	e.end(run)
	e.sameReviews(2)
	if s := e.status(); len(s.Queues) != 3 {
		t.Errorf("%+v", s.Queues)
	}
}

func TestReviewsFleetLosesItsCoordinator(t *testing.T) {
	e := newFleetList(t)
	e.worker("one")
	run := e.playList()
	e.reviewed(2)
	kill(t, run)
	e.end(e.playList())
	e.sameReviews(0)
}

// A worker without the models' key says so, with its name and what to do, and nothing counts as reviewed; with one the list goes on.
// Who coordinates has no key at all.
func TestReviewersNeedTheKeyOfTheirModels(t *testing.T) {
	e := newFleetList(t)
	poor := e.fleetCommand("worker", "fleet", "work", "--fleet", e.url, "--slots", "2", "--name", "poor")
	poor.Env = append(poor.Env, "OPENAI_API_KEY=")
	e.begin(poor)
	before := e.srv.Calls()
	run := e.playList()
	if err := run.Wait(); err == nil || run.ProcessState.ExitCode() != exitOutside {
		t.Errorf("%v", err)
	}
	const want = "worker poor: openai/root: OPENAI_API_KEY is not set; hint: keys stay on the machines of workers: set it for worker poor"
	s := e.listSummary("fleet")
	if said := e.said(run); strings.Count(said, want) != reviewsOfAList || s.Failed != reviewsOfAList ||
		!strings.Contains(s.Repositories[0].Error, want) ||
		!strings.Contains(said, "deeprepo resume fleet goes on") || e.srv.Calls() != before {
		t.Errorf("%+v\n%s", s, said)
	}
	e.write("bench.toml", `
[[codebase]]
path = "c0"
[[config]]
name = "dear"
root = "openai/root"
worker = "openai/worker"
strategy = "rlm"
`)
	bench := e.coordinator("bench", "bench.toml", "--out", "bench", "--fleet", e.url)
	if out, err := bench.CombinedOutput(); err == nil || !strings.Contains(string(out), "OPENAI_API_KEY is not set") ||
		!strings.Contains(string(out), "hint: keys stay on the machines of workers: set it for worker poor") {
		t.Errorf("%v: %s", err, out)
	}
	kill(t, poor)
	e.worker("rich")
	e.end(e.playList())
	e.sameReviews(0)
	e.end(e.begin(e.coordinator("resume", "bench")))
}

// A bench has the same tables from a fleet, simulated workers included.
func TestABenchOnAFleet(t *testing.T) {
	e := &fleetEval{fleetProgram: &fleetProgram{program: newProgram(t, func(llmtest.ChatRequest) llmtest.Reply {
		return llmtest.Status(500, "no model is needed")
	}), slots: 2}}
	t.Parallel()
	e.write("bench.toml", `
[[codebase]]
environment = "orchestration"
split = "heldout"
count = 3
[[config]]
name = "honest"
root = "policy/honest"
worker = "sim"
[[config]]
name = "rules"
root = "offline/orchestrator"
worker = "rules"
strategy = "rlm+gate"
`)
	e.hub()
	e.worker("one")
	e.must("bench", "bench.toml", "--out", "alone")
	e.end(e.begin(e.fleetCommand("coordinator", "bench", "bench.toml", "--out", "fleet", "--fleet", e.url)))
	read := func(dir string) []byte {
		text, err := os.ReadFile(e.path(dir, "bench.md"))
		if err != nil {
			t.Fatal(err)
		}
		return bytes.ReplaceAll(text, []byte(dir), nil)
	}
	if alone, together := read("alone"), read("fleet"); !bytes.Equal(alone, together) {
		t.Errorf("other tables:\n%s", firstDifference(alone, together))
	}
	work, err := os.ReadFile(e.path("fleet", "fleet.json"))
	if err != nil || !bytes.Contains(work, []byte(`"review": 6`)) {
		t.Errorf("who did what: %s, %v", work, err)
	}
}

//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// withoutFleet takes the fleet out of a run's manifest, as a user would, until back is called.
func (e *fleetEval) withoutFleet() (back func()) {
	e.t.Helper()
	text, err := os.ReadFile(e.path("fleet", "run.json"))
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("%q", e.url)) {
		e.t.Fatalf("%s is not in run.json: %v", e.url, err)
	}
	e.write("fleet/run.json", strings.Replace(string(text), fmt.Sprintf("%q", e.url), `""`, 1))
	return func() { e.write("fleet/run.json", string(text)) }
}

// refused has a command end at once, before anything is asked, with a hint that names the fleet.
func (e *fleetEval) refused(args ...string) {
	e.t.Helper()
	before := e.srv.Calls()
	out, err := e.command(args...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is not all here") || !strings.Contains(string(out), "hint: go on with that fleet") ||
		e.srv.Calls() != before {
		e.t.Errorf("%v: %v: %s", args, err, out)
	}
}

// Whoever takes the fleet out of a run whose coordinator was killed is told that the journals are there. With it the run goes on,
// and is billed once.
func TestAKilledEvalIsNotTakenUpAlone(t *testing.T) {
	e := newFleetEval(t)
	worker := e.worker("one")
	run := e.play()
	e.under(1, 4)
	kill(t, run)
	kill(t, worker) // what it has paid for is known to the hub only
	back := e.withoutFleet()
	e.refused("resume", "fleet")
	back()
	e.worker("two")
	e.end(e.play())
	e.sameAsAlone(1)
	if _, err := os.Stat(e.path("fleet", ".elsewhere")); err == nil {
		t.Error("the run is done, and still counts as one that is elsewhere")
	}
}

func TestAKilledListIsNotTakenUpAlone(t *testing.T) {
	e := newFleetList(t)
	worker := e.worker("one")
	run := e.playList()
	e.reviewed(2)
	from := e.srv.Calls()
	e.wait("calls", func() bool { return e.srv.Calls() >= from+4 })
	kill(t, run)
	kill(t, worker)
	back := e.withoutFleet()
	e.refused("resume", "fleet")
	alone := ""
	for i := range reviewsOfAList {
		if _, err := os.Stat(e.path("fleet", "runs", fmt.Sprintf("c%d", i), ".elsewhere")); err == nil {
			alone = fmt.Sprintf("fleet/runs/c%d", i)
		}
	}
	e.refused("resume", alone) // a review by itself knows of no fleet
	back()
	e.worker("two")
	e.end(e.playList())
	e.sameReviews(1)
	e.must("resume", alone)
}

// withoutAHub interrupts a run whose hub is gone: the user is told what is not here, and with which command it comes.
func (e *fleetEval) withoutAHub(run *exec.Cmd) {
	e.t.Helper()
	kill(e.t, e.atHub)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		e.t.Fatal(err)
	}
	_ = run.Wait()
	said := e.said(run)
	if code := run.ProcessState.ExitCode(); code != exitOutside ||
		!strings.Contains(said, "it was interrupted, and the fleet did not answer") ||
		!strings.Contains(said, "hint: deeprepo resume fleet ") {
		e.t.Errorf("exit code %d: %s", code, said)
	}
	e.hub()
}

func TestAListIsInterruptedWithoutItsHub(t *testing.T) {
	e := newFleetList(t)
	e.worker("one")
	run := e.playList()
	e.reviewed(1)
	from := e.srv.Calls()
	e.wait("calls of another review", func() bool { return e.srv.Calls() >= from+2 })
	e.withoutAHub(run)
	if s := e.listSummary("fleet"); s.CostUSD != nil {
		t.Errorf("a cost that is not known: %v", *s.CostUSD)
	}
	e.end(e.playList())
	e.sameReviews(1)
}

//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// fleetEval is an eval of paid models, alone and on a fleet. Who coordinates it has no key for the models.
type fleetEval struct {
	*fleetProgram
	args  []string
	atHub *exec.Cmd
	whole []byte // its rows
	calls int    // made for them
	total money.USD
	gate  atomic.Int64 // from that call on models do not answer, 0 for never
}

// Rollouts of the eval, and how many calls of a rollout may be in flight.
const (
	evalRollouts = 12
	evalAtOnce   = 8
)

func newFleetEval(t *testing.T) *fleetEval {
	t.Parallel()
	e := &fleetEval{}
	models := fakeModels(20*time.Millisecond, something)
	e.fleetProgram = &fleetProgram{slots: 2, program: newProgram(t, func(r llmtest.ChatRequest) llmtest.Reply {
		for e.stuck() {
			time.Sleep(5 * time.Millisecond)
		}
		return models(r)
	})}
	e.args = []string{"eval", "orchestration", "-m", "openai/root", "--worker", "openai/worker", "-n", "4", "-r", "3", "--seed", "5",
		"--temperature", "0.7"}
	e.must(append(e.args, "--budget", "5", "--out", "whole")...)
	e.whole, e.calls, e.total = evalRows(t, e.path("whole")), e.srv.Calls(), *e.summary("whole").Usage.Total
	e.atHub = e.hub()
	return e
}

func (e *fleetEval) summary(dir string) (s runfile.EvalSummary) {
	e.t.Helper()
	text, err := os.ReadFile(e.path(dir, eval.SummaryName))
	if err != nil || json.Unmarshal(text, &s) != nil {
		e.t.Fatal(err)
	}
	return s
}

func (e *fleetEval) coordinator(args ...string) *exec.Cmd {
	cmd := e.fleetCommand("coordinator", args...)
	cmd.Env = append(cmd.Env, "OPENAI_API_KEY=")
	return cmd
}

// play starts the eval, or goes on with it.
func (e *fleetEval) play() *exec.Cmd {
	if _, err := os.Stat(e.path("fleet")); err == nil {
		return e.begin(e.coordinator("resume", "fleet"))
	}
	return e.begin(e.coordinator(append(e.args, "--budget", "5", "--out", "fleet", "--fleet", e.url)...))
}

func (e *fleetEval) rows() int { return count(e.path("fleet", eval.ResultsName), "\n") }

// stuck says that models do not answer now.
func (e *fleetEval) stuck() bool {
	gate := e.gate.Load()
	return gate > 0 && int64(e.srv.Calls()) >= gate
}

// under waits until calls are made beyond those of the rows.
func (e *fleetEval) under(rows, calls int) {
	e.t.Helper()
	e.wait("rows", func() bool { return e.rows() >= rows })
	from := e.srv.Calls()
	e.wait("calls", func() bool { return e.stuck() || e.srv.Calls() >= from+calls })
}

// sameAsAlone compares rows and bill with those of one machine. Of lost calls, those that were in flight when somebody was
// killed, it is known that they may have been billed.
func (e *fleetEval) sameAsAlone(kills int) {
	e.t.Helper()
	e.same(evalRows(e.t, e.path("fleet")), e.whole)
	e.billed(kills)
}

func (e *fleetEval) same(got, want []byte) {
	e.t.Helper()
	if !bytes.Equal(got, want) {
		e.t.Errorf("the rows differ from those of one machine:\n%s", firstDifference(want, got))
	}
}

// billed looks at the bill.
func (e *fleetEval) billed(kills int) {
	e.t.Helper()
	s := e.summary("fleet")
	if s.Status != trace.StatusCompleted || s.Done != evalRollouts || s.Errors != 0 || *s.Usage.Total != e.total ||
		*s.Usage.AtMost > 5*money.Dollar {
		e.t.Errorf("%+v; alone it cost %v", s, e.total)
	}
	again := e.srv.Calls() - 2*e.calls
	if again < 0 || again > kills*e.slots*evalAtOnce {
		e.t.Errorf("%d calls were made twice; with %d kills at most %d were in flight", again, kills, kills*e.slots*evalAtOnce)
	}
	if again > 0 && *s.Usage.AtMost == *s.Usage.Total {
		e.t.Error("calls were made twice, and the bill does not say that they may have been billed")
	}
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

func TestAnEvalOnAFleet(t *testing.T) {
	e := newFleetEval(t)
	e.worker("one")
	e.worker("two")
	e.end(e.play())
	e.sameAsAlone(0)
	var items int64
	for _, w := range kept(t, e.path("fleet")).Workers {
		items += w.Kinds["rollout"]
	}
	if items != evalRollouts {
		t.Errorf("fleet.json says who played %d of %d rollouts", items, evalRollouts)
	}
}

func TestAnEvalsFleetLosesWorkers(t *testing.T) {
	e := newFleetEval(t)
	first, second := e.worker("first"), e.worker("second")
	e.worker("third")                          // from the start: a program takes longer to begin than twelve rollouts to end
	e.gate.Store(int64(e.calls + e.calls*3/4)) // or all might end before anybody is killed
	run := e.play()
	e.under(2, 6)
	kill(t, first)
	e.gate.Add(int64(e.calls / 10))
	e.under(2, 6)
	kill(t, second)
	e.gate.Store(0)
	e.end(run)
	e.sameAsAlone(2)
}

func TestAnEvalsFleetLosesItsHub(t *testing.T) {
	e := newFleetEval(t)
	e.worker("one")
	run := e.play()
	e.under(2, 4)
	kill(t, e.atHub)
	e.hub()
	e.end(run)
	e.sameAsAlone(1) // workers wait for it; what they could not say they hold in time is handed out again
}

func TestAnEvalsFleetLosesItsCoordinator(t *testing.T) {
	e := newFleetEval(t)
	e.worker("one")
	run := e.play()
	e.under(1, 4)
	kill(t, run)
	run = e.play()
	e.wait("more rows", func() bool { return e.rows() >= 6 })
	kill(t, run)
	e.end(e.play())
	e.sameAsAlone(0) // workers finish what they have
}

// A worker sleeps past its time, others take over, and it wakes in the middle of their work.
func TestAnEvalsZombieDoesNotCount(t *testing.T) {
	e := newFleetEval(t)
	zombie := e.worker("zombie")
	e.worker("other")
	run := e.play()
	e.under(2, 6)
	if err := zombie.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	e.wait("the others", func() bool { return e.rows() >= evalRollouts-1 || len(e.status().Workers) < 2 })
	if err := zombie.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	e.end(run)
	e.sameAsAlone(1)
}

// An interrupted eval stops spending, and what was paid for is not asked again: on this machine alone it goes on.
func TestAnInterruptedFleetEvalGoesOnAlone(t *testing.T) {
	e := newFleetEval(t)
	worker := e.worker("one")
	run := e.play()
	e.under(2, 4)
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()
	stopped := e.srv.Calls()
	time.Sleep(300 * time.Millisecond)
	if n := e.srv.Calls() - stopped; n > 0 {
		t.Errorf("%d calls after the eval was interrupted", n)
	}
	kill(t, worker)
	text, err := os.ReadFile(e.path("fleet", "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	e.write("fleet/run.json", strings.Replace(string(text), fmt.Sprintf("%q", e.url), `""`, 1))
	e.must("resume", "fleet")
	count := regexp.MustCompile(`"calls":\d+`) // those that were broken off count, on one machine, too
	e.same(count.ReplaceAll(evalRows(t, e.path("fleet")), nil), count.ReplaceAll(e.whole, nil))
	e.billed(1)
}

// charged is what the fleet's calls have cost by now, in dollars.
func (e *fleetEval) charged() (usd float64) {
	for _, r := range e.srv.Requests()[e.calls:] {
		if r.Model == "root" {
			usd += 1000*3e-6 + 200*15e-6
		} else {
			usd += 1500*0.2e-6 + 100*1.1e-6
		}
	}
	return usd
}

// An eval without a cap is killed and taken up with one: it holds for what runs already, too.
func TestACapThatComesLaterHolds(t *testing.T) {
	e := newFleetEval(t)
	e.slots = 6
	worker := e.worker("one")
	run := e.begin(e.coordinator(append(e.args, "--max-tokens", "500", "--out", "fleet", "--fleet", e.url)...))
	e.under(0, 12)
	for cmd, how := range map[*exec.Cmd]os.Signal{worker: syscall.SIGSTOP, run: syscall.SIGKILL} {
		if err := cmd.Process.Signal(how); err != nil {
			t.Fatal(err)
		}
	}
	_ = run.Wait()
	limit := math.Round((e.charged()+0.03)*1e4) / 1e4
	again := e.begin(e.coordinator("resume", "fleet", "--budget", fmt.Sprintf("%.4f", limit)))
	e.wait("the cap", func() bool { return len(e.status().Runs) > 0 })
	if err := worker.Process.Signal(syscall.SIGCONT); err != nil { // it knows of no cap
		t.Fatal(err)
	}
	if err := again.Wait(); err == nil || again.ProcessState.ExitCode() != exitOutside || !strings.Contains(e.said(again), "--budget") {
		t.Errorf("%v: %s", err, e.said(again))
	}
	if paid := e.charged(); paid > limit {
		t.Errorf("%v dollars were charged, and the cap is %v", paid, limit)
	}
}

// Killed again and again, with calls in flight, under a cap that is too small: what was charged never exceeds it.
func TestTheCapHoldsOverAFleetsKills(t *testing.T) {
	e := newFleetEval(t)
	const limit = 0.15 // less than the eval costs
	worker := e.worker("w0")
	run := e.begin(e.coordinator(append(e.args, "--max-tokens", "500", "--budget", fmt.Sprint(limit), "--out", "fleet", "--fleet", e.url)...))
	over := endOf(run)
	for kills := 1; ; kills++ {
		from := e.srv.Calls()
		e.wait("calls, or the end", func() bool { return e.srv.Calls() >= from+12 || len(over) > 0 })
		if e.charged() > limit {
			t.Fatalf("%v dollars were charged after %d kills, and the cap is %v", e.charged(), kills-1, limit)
		}
		switch {
		case len(over) > 0:
			if err := <-over; kills < 3 || err == nil || run.ProcessState.ExitCode() != exitOutside {
				t.Errorf("after %d kills: %v", kills-1, err)
			}
			if e.charged() < limit/4 {
				t.Errorf("%v dollars were charged of %v", e.charged(), limit)
			}
			return
		case kills%2 == 1:
			_ = worker.Process.Kill()
			worker = e.worker(fmt.Sprintf("w%d", kills))
		default:
			_ = run.Process.Kill()
			<-over
			run = e.begin(e.coordinator("resume", "fleet"))
			over = endOf(run)
		}
	}
}

// endOf is where a process's end is told.
func endOf(cmd *exec.Cmd) chan error {
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	return over
}

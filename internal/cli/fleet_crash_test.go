//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
)

// fleetProgram is a fleet of real processes on one task with many samples.
type fleetProgram struct {
	program
	url   string
	slots int // of each worker
}

// samplesOfAFleet are right and wrong programs, one that ends at its steps, and one that ends its interpreter.
const samplesOfAFleet = 240

func newFleet(t *testing.T) *fleetProgram { return newFleetWith(t, nil) }

// newFleetWith has models that reply.
func newFleetWith(t *testing.T, reply func(llmtest.ChatRequest) llmtest.Reply) *fleetProgram {
	t.Parallel()
	p := &fleetProgram{program: newProgram(t, reply), slots: 1}
	p.write("tasks.jsonl", `{"task_id": "HumanEval/0", "prompt": "def add(a, b):\n    \"\"\"Add.\"\"\"\n", "entry_point": "add", `+
		`"canonical_solution": "    return a + b\n", "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n    `+
		`assert candidate(2, 2) == 4\n"}`+"\n")
	var b strings.Builder
	for i := range samplesOfAFleet {
		body := fmt.Sprintf("    x = %d\n    for _ in range(3000):\n        x += 1\n    return a + b\n", i)
		switch i % 8 {
		case 1:
			body = fmt.Sprintf("    return a * b + %d\n", i)
		case 3:
			body = fmt.Sprintf("    raise ValueError(%d)\n", i)
		}
		if i == 100 {
			body = "    while True:\n        pass\n"
		}
		text, err := json.Marshal(map[string]string{"task_id": "HumanEval/0", "completion": body})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	p.write("samples.jsonl", b.String())
	return p
}

func (p *fleetProgram) fleetCommand(role string, args ...string) *exec.Cmd {
	cmd := p.command(args...)
	cmd.Env = append(cmd.Env, envFleetKey+"="+p.path("hub", "keys", role+".nk"))
	return cmd
}

// begin starts a process that ends with the test.
func (p *fleetProgram) begin(cmd *exec.Cmd) *exec.Cmd {
	p.t.Helper()
	log, err := os.CreateTemp(p.dir, "log-*")
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Stderr = log
	if cmd.Stdout == nil {
		cmd.Stdout = log
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if text, err := os.ReadFile(log.Name()); err == nil && p.t.Failed() {
			p.t.Logf("%s:\n%s", strings.Join(cmd.Args[1:], " "), text)
		}
		log.Close()
	})
	return cmd
}

// hub starts a hub, at the address of the one before.
func (p *fleetProgram) hub(how ...string) *exec.Cmd {
	p.t.Helper()
	addr := "127.0.0.1:0"
	if p.url != "" {
		addr = strings.TrimPrefix(p.url, "nats://")
	}
	out := p.path("hub.out")
	f, err := os.Create(out)
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	cmd := p.fleetCommand("admin", "fleet", "hub", "--store", "hub", "--addr", addr, "--ack-wait", "2s")
	if len(how) > 0 {
		cmd.Args = append(how, append([]string{cmd.Path}, cmd.Args[1:]...)...)
		cmd.Path = "/bin/sh"
	}
	cmd.Stdout = f
	p.begin(cmd)
	p.wait("the hub's address", func() bool {
		text, _ := os.ReadFile(out)
		p.url = strings.TrimSpace(string(text))
		return strings.HasSuffix(string(text), "\n")
	})
	return cmd
}

func (p *fleetProgram) wait(what string, until func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(90 * time.Second); !until(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("waited for %s in vain", what)
		}
	}
}

// worker starts one and waits until it is on the roll.
func (p *fleetProgram) worker(name string) *exec.Cmd {
	p.t.Helper()
	cmd := p.begin(p.fleetCommand("worker", "fleet", "work", "--fleet", p.url, "--slots", fmt.Sprint(p.slots), "--name", name))
	p.wait("worker "+name, func() bool {
		for _, w := range p.status().Workers {
			if w.Name == name {
				return true
			}
		}
		return false
	})
	return cmd
}

func (p *fleetProgram) status() (s fleet.Status) {
	out, err := p.fleetCommand("coordinator", "fleet", "status", "--fleet", p.url, "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &s)
	}
	if err != nil {
		p.t.Logf("no status: %v", err)
	}
	return s
}

// verify starts the verification.
func (p *fleetProgram) verify() *exec.Cmd {
	return p.begin(p.fleetCommand("coordinator", p.verification("fleet", "--fleet", p.url)...))
}

func (p *fleetProgram) verification(out string, more ...string) []string {
	return append([]string{"code", "verify", "humaneval", "--data", "tasks.jsonl", "--samples", "samples.jsonl", "--out", out}, more...)
}

// judged is how many samples have their verdict.
func (p *fleetProgram) judged() int { return count(p.path("fleet", codeeval.ResultsName), "\n") }

// measured are the figures in which two runs of one program differ.
var measured = regexp.MustCompile(`"seconds":[^,}]*`)

// sameAsAlone compares a fleet's verdicts with those of one machine, to the byte but for the seconds.
func (p *fleetProgram) sameAsAlone() {
	p.t.Helper()
	p.must(p.verification("alone")...)
	read := func(dir string) []byte {
		text, err := os.ReadFile(p.path(dir, codeeval.ResultsName))
		if err != nil {
			p.t.Fatal(err)
		}
		return measured.ReplaceAll(text, []byte(`"seconds":0`))
	}
	alone, together := read("alone"), read("fleet")
	if n := bytes.Count(alone, []byte("\n")); n != samplesOfAFleet {
		p.t.Errorf("%d verdicts of %d samples", n, samplesOfAFleet)
	}
	if !bytes.Equal(alone, together) {
		p.t.Errorf("the fleet's verdicts differ from those of one machine:\n%s", firstDifference(alone, together))
	}
}

func (p *fleetProgram) end(cmd *exec.Cmd) {
	p.t.Helper()
	if err := cmd.Wait(); err != nil {
		p.t.Fatalf("%s: %v", strings.Join(cmd.Args[1:3], " "), err)
	}
}

func TestAFleetLosesWorkers(t *testing.T) {
	p := newFleet(t)
	p.hub()
	first, second := p.worker("first"), p.worker("second")
	run := p.verify()
	p.wait("verdicts", func() bool { return p.judged() >= 20 })
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.worker("third")
	p.wait("more verdicts", func() bool { return p.judged() >= 60 })
	if err := second.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.end(run)
	p.sameAsAlone()
}

func TestAFleetLosesItsHub(t *testing.T) {
	p := newFleet(t)
	hub := p.hub()
	p.worker("one")
	p.worker("two")
	run := p.verify()
	for _, far := range []int{20, 100} {
		p.wait("verdicts", func() bool { return p.judged() >= far })
		if err := hub.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = hub.Wait()
		hub = p.hub()
	}
	p.end(run)
	p.sameAsAlone()
}

// The queue is gone, too: a coordinator finds that its items are nowhere, and sends them again.
func TestAFleetLosesItsHubsStore(t *testing.T) {
	p := newFleet(t)
	hub := p.hub()
	p.worker("one")
	run := p.verify()
	p.wait("verdicts", func() bool { return p.judged() >= 20 })
	if err := hub.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = hub.Wait()
	if err := os.RemoveAll(p.path("hub", "jetstream")); err != nil {
		t.Fatal(err)
	}
	p.hub()
	p.end(run)
	p.sameAsAlone()
}

func TestAFleetLosesItsCoordinator(t *testing.T) {
	p := newFleet(t)
	p.hub()
	p.worker("one")
	for _, far := range []int{20, 100} {
		var run *exec.Cmd
		if far == 20 {
			run = p.verify()
		} else {
			run = p.begin(p.fleetCommand("coordinator", "resume", "fleet"))
		}
		p.wait("verdicts", func() bool { return p.judged() >= far })
		if err := run.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = run.Wait()
	}
	p.end(p.begin(p.fleetCommand("coordinator", "resume", "fleet")))
	p.sameAsAlone()
}

// A worker that is silent for longer than the hub waits has lost its items; what it says when it wakes counts no more.
func TestAZombieDoesNotCount(t *testing.T) {
	p := newFleet(t)
	p.hub()
	zombie := p.worker("zombie")
	p.worker("other")
	run := p.verify()
	p.wait("verdicts", func() bool { return p.judged() >= 20 })
	if err := zombie.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.wait("the others", func() bool { return p.judged() >= samplesOfAFleet-40 })
	if err := zombie.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	p.end(run)
	p.sameAsAlone()
}

func TestADrainedWorkerEndsAndLosesNothing(t *testing.T) {
	p := newFleet(t)
	p.hub()
	drained := p.worker("drained")
	p.worker("other")
	run := p.verify()
	p.wait("verdicts", func() bool { return p.judged() >= 20 })
	if out, err := p.fleetCommand("coordinator", "fleet", "drain", "drained", "--fleet", p.url).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p.end(drained)
	p.end(run)
	said, err := os.ReadFile(run.Stderr.(*os.File).Name())
	if err != nil || !regexp.MustCompile(`by worker: drained [1-9]\d*, other [1-9]\d*\n`).Match(said) {
		t.Errorf("it is not said who did what: %s, %v", said, err)
	}
	p.sameAsAlone()
	if s := p.status(); len(s.Workers) != 1 || s.Workers[0].Name != "other" || s.Workers[0].Faults != 0 {
		t.Errorf("%+v", s)
	}
}

func TestAHubsDiskIsFull(t *testing.T) {
	p := newFleet(t)
	hub := p.hub("sh", "-c", `ulimit -f 96; exec "$0" "$@"`) // no file over 48 KiB
	p.worker("one")
	run := p.verify()
	time.Sleep(3 * time.Second)
	if p.judged() == samplesOfAFleet {
		t.Fatal("the disk was not full")
	}
	_ = hub.Process.Kill()
	_ = hub.Wait()
	p.hub()
	p.end(run)
	p.sameAsAlone()
}

func TestAWorkerOfAnotherBuildIsRefused(t *testing.T) {
	p := newFleet(t)
	p.hub()
	exe, err := os.ReadFile(p.command().Path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(p.dir, "other")
	if err := os.WriteFile(other, otherBuild(exe), 0o700); err != nil { // #nosec G306 -- a program
		t.Fatal(err)
	}
	cmd := p.fleetCommand("worker", "fleet", "work", "--fleet", p.url)
	cmd.Path = other
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "and the fleet at") || !strings.Contains(string(out), "hint: install one version") {
		t.Errorf("%v: %s", err, out)
	}
}

//go:build unix

package cli

import (
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
)

// freePort is one that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// threeLines are those that bring up a fleet, as a text of ours gives them.
func threeLines(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?s)```(?:sh)?\n(deeprepo fleet hub [^`]*)```").FindSubmatch(text)
	if lines == nil || strings.Count(string(lines[1]), "\n") != 3 {
		t.Fatalf("%s: not three lines: %q", file, lines)
	}
	return string(lines[1])
}

// The lines of README.md and docs/fleet.md, pasted at once into a shell; only the port is another one.
func TestThreeLinesBringUpAFleet(t *testing.T) {
	lines := threeLines(t, "README.md")
	if other := threeLines(t, "docs/fleet.md"); other != lines {
		t.Errorf("README.md and docs/fleet.md differ:\n%s\n%s", lines, other)
	}
	p := newFleet(t)
	plain, err := os.ReadFile(p.path("tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(p.path("HumanEval.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write(plain); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	exe := p.command().Path
	if err := os.MkdirAll(p.path("bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, p.path("bin", "deeprepo")); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	p.url = "nats://127.0.0.1:" + port
	cmd := p.command()
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-e", "-c", strings.ReplaceAll(lines, "4222", port)}
	cmd.Env = append(cmd.Env, "PATH="+p.path("bin")+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.begin(cmd)
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // the shell is gone, its fleet is not
	p.end(cmd)
	if err := os.Rename(p.path("runs", "mine"), p.path("fleet")); err != nil {
		t.Fatal(err)
	}
	p.sameAsAlone()
	p.wait("two workers", func() bool { return len(p.status().Workers) == 2 })
}

// said is what a process told on stderr.
func (p *fleetProgram) said(cmd *exec.Cmd) string {
	text, _ := os.ReadFile(cmd.Stderr.(*os.File).Name())
	return string(text)
}

// interrupt is Ctrl-C; the process must end well.
func (p *fleetProgram) interrupt(cmd *exec.Cmd) {
	p.t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	p.end(cmd)
}

func TestAWorkerWaitsForItsHub(t *testing.T) {
	p := newFleet(t)
	p.url = "nats://127.0.0.1:" + freePort(t)
	early := p.begin(p.fleetCommand("worker", "fleet", "work", "--fleet", p.url, "--slots", "1", "--metrics", "127.0.0.1:0"))
	p.wait("a word", func() bool { return strings.Contains(p.said(early), "waiting for it") })
	hub := p.hub()
	p.wait("the worker", func() bool { return len(p.status().Workers) == 1 })
	p.end(p.verify())
	p.sameAsAlone()

	page := regexp.MustCompile(`http://\S+/metrics`).FindString(p.said(early))
	answer, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !regexp.MustCompile(`(?m)^deeprepo_fleet_worker_done_items_total\{kind="judge"\} [1-9]`).Match(text) {
		t.Errorf("%v: %s", err, text)
	}
	foreign, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page, nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign.Host = "evil.example"
	refused, err := http.DefaultClient.Do(foreign)
	if err != nil || refused.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("another's name for this server: %v, %v", refused, err)
	}
	refused.Body.Close()
	p.interrupt(early)
	p.interrupt(hub)
}

func TestAWorkerThatWaitsEndsWithCtrlC(t *testing.T) {
	p := newFleet(t)
	p.url = "nats://127.0.0.1:" + freePort(t)
	early := p.begin(p.fleetCommand("worker", "fleet", "work", "--fleet", p.url))
	p.wait("a word", func() bool { return strings.Contains(p.said(early), "waiting for it") })
	began := time.Now()
	p.interrupt(early)
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("only after %v", took)
	}
}

// A key for something else is named, with the one that is needed, and nobody waits.
func TestTheKeyOfAnotherRole(t *testing.T) {
	p := newFleet(t)
	p.hub()
	p.write("hub/keys/none.nk", "no key")
	for _, c := range []struct {
		role, want string
		args       []string
	}{
		{"worker", "hint: fleet work needs the hub's keys/worker.nk, every other command keys/coordinator.nk", p.verification("fleet", "--fleet", p.url)},
		{"worker", "worker.nk may not do this", []string{"fleet", "status", "--fleet", p.url}},
		{"coordinator", "coordinator.nk may not do this", []string{"fleet", "work", "--fleet", p.url}},
		{"none", "holds no NKey", []string{"fleet", "status", "--fleet", p.url}},
		{"coordinator", "another hub uses hub", []string{"fleet", "hub", "--store", "hub", "--addr", "127.0.0.1:0"}},
		{"coordinator", "cannot listen on", []string{"fleet", "hub", "--store", "second", "--addr", strings.TrimPrefix(p.url, "nats://")}},
	} {
		began := time.Now()
		out, err := p.fleetCommand(c.role, c.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.want) || !strings.Contains(string(out), "hint: ") {
			t.Errorf("%s: %v: %s", strings.Join(c.args, " "), err, out)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: only after %v", strings.Join(c.args, " "), took)
		}
	}
	if s := p.status(); len(s.Workers) != 0 || s.Queues[0] != (fleet.QueueStatus{Kind: fleet.KindJudge}) {
		t.Errorf("something was left: %+v", s)
	}
}

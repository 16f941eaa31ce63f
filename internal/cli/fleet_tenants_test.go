//go:build unix

package cli

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A hub of real processes with two tenants: a worker gets a key of its own, each tenant sees its own workers, the hub's page says whose
// is what, and the worker ends when its key goes.
func TestTenantsOfAHub(t *testing.T) {
	p := newFleet(t)
	key := func(args ...string) string {
		t.Helper()
		out, err := p.command(append([]string{"fleet", "key"}, append(args, "--store", "hub", "--tenant", "physics")...)...).Output()
		if err != nil {
			t.Fatalf("%v: %v, %s", args, err, err.(*exec.ExitError).Stderr)
		}
		return strings.TrimSpace(string(out))
	}
	hub := p.command("fleet", "hub", "--store", "hub", "--addr", "127.0.0.1:0", "--tenant", "physics", "--tenant", "chess",
		"--metrics", "127.0.0.1:0")
	out, err := hub.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.begin(hub)
	if p.url, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p.url = strings.TrimSpace(p.url)
	as := func(file string, args ...string) *exec.Cmd {
		cmd := p.command(append([]string{"fleet"}, append(args, "--fleet", p.url)...)...)
		cmd.Env = append(cmd.Env, envFleetKey+"="+p.path(file))
		return cmd
	}
	status := func(file string) string {
		text, _ := as(file, "status").CombinedOutput()
		return string(text)
	}
	file := key("add", "worker", "big-machine")
	if names := key("list", "worker"); !strings.HasPrefix(names, "big-machine\tU") {
		t.Errorf("keys: %s", names)
	}
	p.wait("the new key's turn", func() bool { return !strings.Contains(status(file), "does not know the key") })
	worker := p.begin(as(file, "work", "--slots", "1", "--name", "big"))
	p.wait("the worker", func() bool { return strings.Contains(status("hub/keys/physics/coordinator.nk"), "big") })
	if other := status("hub/keys/chess/coordinator.nk"); !strings.Contains(other, "no worker is there") {
		t.Errorf("another tenant sees: %s", other)
	}

	answer, err := http.Get(regexp.MustCompile(`http://\S+/metrics`).FindString(p.said(hub)))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), `deeprepo_fleet_workers{tenant="physics"} 1`) ||
		!strings.Contains(string(text), `deeprepo_fleet_workers{tenant="chess"} 0`) {
		t.Errorf("%v: %s", err, text)
	}
	bytes := map[string]int{}
	for _, m := range regexp.MustCompile(`deeprepo_fleet_stored_bytes\{tenant="(\w+)"\} (\d+)`).FindAllStringSubmatch(string(text), -1) {
		bytes[m[1]], _ = strconv.Atoi(m[2])
	}
	if bytes["chess"] <= 0 || bytes["physics"] <= bytes["chess"] { // the state alone, and a worker besides
		t.Errorf("stored: %v", bytes)
	}

	key("remove", "worker", "big-machine")
	if err := worker.Wait(); err == nil || !strings.Contains(p.said(worker), "does not know the key") {
		t.Errorf("a worker without its key: %v: %s", err, p.said(worker))
	}
}

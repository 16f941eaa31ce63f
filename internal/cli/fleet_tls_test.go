//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

// Three hubs of real processes that verify each other by --tls-ca, a worker with a key of its own, and what happens without
// either: who does not know the authority speaks to no hub, and a hub with another one's certificate is not let in.
func TestAClusterOfProcessesVerifiesItself(t *testing.T) {
	p := newFleet(t)
	kill(t, p.hub()) // makes the keys
	ca, other := runtest.NewAuthority(t), runtest.NewAuthority(t)
	var addrs, routes []string
	for range 3 {
		addrs, routes = append(addrs, "127.0.0.1:"+freePort(t)), append(routes, "127.0.0.1:"+freePort(t))
	}
	start := func(i int, by runtest.Authority) *exec.Cmd {
		t.Helper()
		cert, key := by.Certificate(t)
		args := []string{"fleet", "hub", "--store", fmt.Sprint("store", i), "--name", fmt.Sprint("hub", i), "--addr", addrs[i],
			"--cluster-addr", routes[i], "--tls-cert", cert, "--tls-key", key, "--tls-ca", by.File}
		for j, route := range routes {
			if j != i {
				args = append(args, "--route", route)
			}
		}
		return p.begin(p.command(args...))
	}
	key := func(i int, args ...string) string {
		t.Helper()
		return strings.TrimSpace(string(p.must(append([]string{"fleet", "key"}, append(args, "--store", fmt.Sprint("store", i))...)...)))
	}
	var hubs []*exec.Cmd
	for i := range 3 {
		if err := os.CopyFS(p.path(fmt.Sprint("store", i), "keys"), os.DirFS(p.path("hub", "keys"))); err != nil {
			t.Fatal(err)
		}
		hubs = append(hubs, start(i, ca))
	}
	mine := p.path(key(0, "add", "worker", "mine"))
	if names := key(0, "list", "worker"); !strings.HasPrefix(names, "mine\tU") {
		t.Errorf("keys: %s", names)
	}
	for i := range 2 { // it comes to each hub
		text, err := os.ReadFile(mine)
		if err != nil {
			t.Fatal(err)
		}
		p.write(filepath.Join(fmt.Sprint("store", i+1), strings.TrimPrefix(mine, p.path("store0"))), string(text))
	}
	p.url = "tls://" + strings.Join(addrs, ",tls://")
	as := func(file string, args ...string) *exec.Cmd {
		cmd := p.command(append([]string{"fleet"}, append(args, "--fleet", p.url)...)...)
		cmd.Env = append(cmd.Env, envFleetKey+"="+file, envFleetCA+"="+ca.File)
		return cmd
	}
	status := func() string {
		text, _ := as(p.path("hub", "keys", "coordinator.nk"), "status").CombinedOutput()
		return string(text)
	}
	p.wait("the cluster", func() bool { return strings.Contains(status(), "no worker is there") })
	stranger := as(p.path("hub", "keys", "coordinator.nk"), "status")
	stranger.Env = append(stranger.Env, envFleetCA+"="+other.File)
	if text, err := stranger.CombinedOutput(); err == nil || !strings.Contains(string(text), "certificate") {
		t.Errorf("who knows another authority: %v: %s", err, text)
	}
	for _, addr := range addrs {
		p.wait("the new key's turn at "+addr, func() bool {
			cmd := as(mine, "status")
			cmd.Args[len(cmd.Args)-1] = "tls://" + addr
			text, _ := cmd.CombinedOutput()
			return !strings.Contains(string(text), "does not know the key")
		})
	}
	worker := p.begin(as(mine, "work", "--slots", "1", "--name", "big"))
	p.wait("the worker", func() bool { return strings.Contains(status(), "big") })

	kill(t, hubs[2])
	impostor := start(2, other)
	p.wait("a word of the impostor", func() bool { return strings.Contains(p.said(impostor), "route handshake error: tls: failed to verify") })
	kill(t, impostor)
	start(2, ca)
	for i := range 3 {
		key(i, "remove", "worker", "mine")
	}
	if err := worker.Wait(); err == nil || !strings.Contains(p.said(worker), "does not know the key") {
		t.Errorf("a worker without its key: %v: %s", err, p.said(worker))
	}
	if names := key(0, "list", "worker"); names != "" {
		t.Errorf("keys: %s", names)
	}
}

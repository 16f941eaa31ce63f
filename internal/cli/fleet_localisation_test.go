//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
)

// Two records of a repository, at two commits, are played by workers that have no checkout of it; one is killed. The rows and
// the rankings are those of one machine.
func TestLocalisationOnAFleet(t *testing.T) {
	p := newFleetWith(t, fakeModels(20*time.Millisecond, something))
	p.slots = 2
	var commits []string
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", p.path("checkouts/acme__shop"), "-c", "user.name=a", "-c", "user.email=a@b.c",
			"-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	for n := range 2 {
		for _, name := range []string{"cart", "order", "price", "stock"}[:3+n] {
			p.write("checkouts/acme__shop/shop/"+name+".py", fmt.Sprintf("def %s(x):\n    return %d\n", name, n))
		}
		if n == 0 {
			git("init", "-q")
		}
		git("add", "-A")
		git("commit", "-q", "-m", "state")
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	var records bytes.Buffer
	for n, commit := range commits {
		if err := json.NewEncoder(&records).Encode(map[string]any{"instance_id": fmt.Sprint("shop-", n), "repo": "acme/shop",
			"base_commit": commit, "problem_statement": "price(3) is wrong", "gold_files": []string{"shop/price.py"}}); err != nil {
			t.Fatal(err)
		}
	}
	p.write("records.jsonl", records.String())
	args := []string{"eval", "localisation", "--data", "records.jsonl", "--repos", "checkouts", "-m", "openai/root", "--worker",
		"openai/worker", "-n", "2", "-r", "6", "--temperature", "0.7", "--budget", "5"}
	p.must(append(args, "--out", "whole")...)

	p.hub()
	elsewhere := func(name string) *exec.Cmd {
		cmd := p.fleetCommand("worker", "fleet", "work", "--fleet", p.url, "--slots", "2", "--name", name,
			"--config", p.path("deeprepo.toml"))
		cmd.Dir = t.TempDir()
		return p.begin(cmd)
	}
	first := elsewhere("first")
	run := p.begin(p.fleetCommand("coordinator", append(args, "--out", "fleet", "--fleet", p.url)...))
	p.wait("a row", func() bool { return count(p.path("fleet", eval.ResultsName), "\n") >= 1 })
	kill(t, first)
	elsewhere("second")
	p.end(run)
	alone, together := evalRows(t, p.path("whole")), evalRows(t, p.path("fleet"))
	if !bytes.Equal(alone, together) || bytes.Count(alone, []byte("\n")) != 12 || bytes.Contains(alone, []byte(`"error":"`)) {
		t.Errorf("the rows differ from those of one machine, or are not twelve:\n%s", firstDifference(alone, together))
	}
	for _, name := range []string{"predictions.jsonl", "predictions-6.jsonl"} {
		want, err := os.ReadFile(p.path("whole", name))
		got, missing := os.ReadFile(p.path("fleet", name))
		if err != nil || missing != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %v\n%s\n%s", name, err, missing, got, want)
		}
	}
}

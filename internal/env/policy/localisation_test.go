package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/env/policy"
)

// issues makes a repository of sixteen modules in which a fix is committed, and records of issues about four of them.
func issues(t *testing.T) catalog.Options {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here: commits cannot be read")
	}
	repos := t.TempDir()
	dir := filepath.Join(repos, "acme__shop")
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"},
			args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	words := strings.Fields("account basket carrier discount envelope freight gateway holder " +
		"invoice journal keeper ledger merchant notice order parcel")
	write := func(fixed string) {
		t.Helper()
		for i, w := range words {
			use := words[:min(i, 2)] // the first ones are used by all
			text := ""
			for _, u := range use {
				text += fmt.Sprintf("from shop.%s import make_%s\n", u, u)
			}
			result := "x"
			if w == fixed {
				result = "x + 1"
			}
			text += fmt.Sprintf("\n\nclass %s:\n    def settle_%s(self, x):\n        return %s\n\n\ndef make_%s():\n    return %[1]s()\n",
				strings.ToUpper(w[:1])+w[1:], w, result, w)
			if err := os.WriteFile(filepath.Join(dir, "shop", w+".py"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "shop"), 0o755); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	write("")
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	var records strings.Builder
	for _, w := range words[8:12] {
		base := git("rev-parse", "HEAD")
		write(w)
		line, err := json.Marshal(map[string]any{"instance_id": "acme__shop-" + w, "repo": "acme/shop", "base_commit": base,
			"problem_statement": fmt.Sprintf("`settle_%s(3)` gives 3\n```\nand not 4\n```", w), "patch": git("diff") + "\n",
			"test_patch": "+++ b/shop/" + w + ".py", "FAIL_TO_PASS": []string{"shop/" + w + ".py"}})
		if err != nil {
			t.Fatal(err)
		}
		records.WriteString(string(line) + "\n")
		git("commit", "-q", "-a", "-m", "fix "+w)
	}
	o := options(t)
	o.Data, o.Repos = filepath.Join(repos, "records.jsonl"), repos
	if err := os.WriteFile(o.Data, []byte(records.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestLocalisationSamples plays the policies of localisation: no cheat earns what its samples do not say, none more than honest work.
func TestLocalisationSamples(t *testing.T) {
	e, err := catalog.Open(context.Background(), localisation.Name, issues(t))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := policy.Audit(context.Background(), e, policy.AuditConfig{Selection: env.Selection{}, Tasks: 4, Sandbox: engine})
	if err != nil {
		t.Fatal(err)
	}
	policies, honest := policy.For(e.Name()), rows[len(rows)-1].Mean
	if len(rows) != len(policies) || len(rows) < 7 || policies[len(rows)-1].Name != "issue-words" {
		t.Fatalf("%d policies were played, want those For the environment", len(rows))
	}
	for i, p := range policies {
		r := rows[i]
		for _, s := range p.Samples {
			if s.Environment == e.Name() && (r.Mean < s.Lo-1e-9 || r.Mean > s.Hi+1e-9) {
				t.Errorf("%s earns %.4f (%v), its sample says %.2f to %.2f", p.Name, r.Mean, r.Rewards, s.Lo, s.Hi)
			}
		}
		if p.Kind != policy.Honest && r.Mean >= honest {
			t.Errorf("%s earns %.4f, honest work %.4f", p.Name, r.Mean, honest)
		}
	}
	for _, p := range policy.For("orchestration") {
		if p.Only != "" {
			t.Errorf("%s plays where it was not written for", p.Name)
		}
	}
}

package localisation

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// TestBareRepository has two commits of a bare repository as tasks: the second, which is read beside the first, is what it is alone,
// and neither holds anything of the fix, of its tests, or of git.
func TestBareRepository(t *testing.T) {
	repos, base, patch := checkout(t)
	bare := t.TempDir()
	dir := filepath.Join(bare, "acme__shop")
	if out, err := exec.Command("git", "clone", "-q", "--bare", filepath.Join(repos, "acme__shop"), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	fixed, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	after := issue(strings.TrimSpace(string(fixed)), "")
	after.InstanceID, after.GoldFiles = "acme__shop-2", []string{"shop/cart.py"}
	e := open(t, bare, after, issue(base, patch))
	for i, hidden := range [][]string{nil, {"fixed_index", "assert True"}} {
		task, err := e.Task(context.Background(), env.Selection{}, i)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := codebase.Load(context.Background(), dir, codebase.Options{Commit: e.cfg.Records[i].BaseCommit})
		if err != nil {
			t.Fatal(err)
		}
		if task.Codebase.Hash() != alone.Hash() {
			t.Errorf("record %d: the codebase depends on what was read before it", i)
		}
		for _, p := range task.Codebase.Paths() {
			text, _ := task.Codebase.Text(p)
			for _, h := range hidden {
				if strings.Contains(text, h) {
					t.Errorf("record %d: %s holds %q, which comes after the base commit", i, p, h)
				}
			}
			if strings.HasPrefix(p, ".git") || strings.HasPrefix(p, "objects/") || strings.HasPrefix(p, "refs/") {
				t.Errorf("record %d: %s is git's", i, p)
			}
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) == 0 || e.last["acme/shop"].Commit() != base {
		t.Errorf("%v: the last commit read is not kept", err)
	}
}

// TestFieldsThatStayHidden has policies told neither the tests of a fix nor what else a record says of the time after it.
func TestFieldsThatStayHidden(t *testing.T) {
	line := `{"instance_id":"a","repo":"a/b","base_commit":"aaaaaaa","problem_statement":"x","patch":"","gold_files":["x.py"],` +
		`"test_patch":"SECRET","FAIL_TO_PASS":["SECRET"],"PASS_TO_PASS":"SECRET","hints_text":"SECRET","created_at":"2020-01-01T00:00:00Z"}`
	records, err := ReadRecords(strings.NewReader(line), "x")
	if err != nil {
		t.Fatal(err)
	}
	preset := (&Environment{}).task(records[0])
	long := Record{Issue: strings.Repeat("é", runfile.MostIssue)}
	if head := long.head(runfile.MostIssue); head != strings.Repeat("é", runfile.MostIssue/2)+"\n[cut]" {
		t.Errorf("%d bytes of an issue are kept", len(head))
	}
	if r := records[0]; strings.Contains(r.InstanceID+r.Issue+r.Patch+strings.Join(r.GoldFiles, "")+preset.Root+preset.Worker, "SECRET") {
		t.Errorf("%+v", r)
	}
}

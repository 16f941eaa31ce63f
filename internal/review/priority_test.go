package review

import (
	"context"
	"fmt"
	"os/exec"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// The first findings have a reason, and those of a codebase with a history the commit that brought them, as far as the limit of
// files goes.
func TestPrioritise(t *testing.T) {
	files := map[string]string{"web.py": "@app.route('/')\ndef show():\n    eval(x)\n"}
	r := runfile.Report{Findings: []runfile.Finding{}}
	for i := range maxBlamedFiles + 5 {
		name := fmt.Sprintf("a%02d.py", i)
		files[name] = "x\n"
		r.Findings = append(r.Findings, runfile.Finding{ID: name, Severity: "low", File: name, Line: 1})
	}
	r.Findings = append(r.Findings, runfile.Finding{ID: "w", Severity: "high", File: "web.py", Line: 3, Confidence: 0.9})
	dir := runtest.Tree(t, files)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here: who brought a line is not looked up")
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "commit", "-qm", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git: %v %s", err, out)
		}
	}
	code, err := codebase.Load(context.Background(), dir, codebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prioritise(context.Background(), &r, code)
	want := runfile.TopFinding{ID: "w", Why: "high, production code, in a request handler on which no login check stands, confidence 90%"}
	if len(r.Top) != 10 || r.Top[0].ID != want.ID || r.Top[0].Why != want.Why {
		t.Errorf("%+v", r.Top)
	}
	known := 0
	for _, f := range r.Findings {
		if f.Introduced != nil && f.Introduced.Commit == code.Commit() {
			known++
		}
	}
	if known != maxBlamedFiles || r.Findings[len(r.Findings)-1].Introduced == nil {
		t.Errorf("%d findings know their commit, the first among them: %v", known, r.Findings[len(r.Findings)-1].Introduced)
	}
}

package view_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/review"
)

func TestAnArchiveHoldsAReviewsCodeWithoutItsSecrets(t *testing.T) {
	const secret = "AKIAIOSFODNN7RTWQLPZ"
	repo := runtest.Tree(t, map[string]string{"a.py": "one\nkey = \"" + secret + "\"\nthree\n", "b.py": "b\n", "c.py": "c\n",
		"d.yml": "password: marmalade\n"})
	change := func(r *runfile.Report, _ *runfile.CoverageRecord) {
		r.Findings = []finding.Finding{{ID: "aaaa1111", Severity: "low", File: "c.py", Line: 1},
			{ID: "aaaa2222", Severity: "low", File: "a.py", Line: 1},
			{ID: "aaaa3333", Severity: "low", File: "d.yml", Line: 1}}
	}
	dir := aReview(t, repo, "", change)
	a, err := open(t, dir).Archive(1<<20, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range []string{"", "findings", "files", "file/a.py", "file/b.py", "file/c.py", "file/d.yml"} {
		if a[resource] == nil {
			t.Errorf("the archive has no %q", resource)
		}
		if text := string(a[resource]); strings.Contains(text, secret) || strings.Contains(text, "marmalade") {
			t.Errorf("%q shows the secret", resource)
		}
	}
	var f review.File
	if err := json.Unmarshal(a["file/a.py"], &f); err != nil || f.Text == nil || strings.Count(*f.Text, "\n") != 3 ||
		!strings.HasPrefix(*f.Text, "one\nkey = \"[REDACTED:") {
		t.Errorf("%v %+v", err, f)
	}
	if text := get[review.File](t, dir, "file/a.py").Text; text == nil || !strings.Contains(*text, secret) {
		t.Error("on the machine where it lies, the file is not shown as it is")
	}
	runtest.WriteFile(t, filepath.Join(dir, "run.json"), reviewOf(reviewOptions{Path: repo, NoRedact: true}))
	if a, err = open(t, dir).Archive(1<<20, false); err != nil || !strings.Contains(string(a["file/a.py"]), secret) {
		t.Errorf("a run that was asked not to redact: %v %s", err, a["file/a.py"])
	}
}

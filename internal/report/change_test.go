package report

import (
	"io"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Where people look at changes they are shown what a change brings in; what was there before is in the report.
func TestFormsOfAChange(t *testing.T) {
	r := runfile.Report{Schema: Schema, Run: runfile.ReportRun{Status: trace.StatusCompleted, Worker: "m"},
		Change: &runfile.Change{Since: "main", Base: "0123456789abcdef",
			Files: []runfile.ChangedFile{{Path: "a.py", Kind: "modified", Added: 2}}},
		Findings: []finding.Finding{
			{ID: "a1", Title: "brought in", Severity: "high", File: "a.py", Line: 1, EndLine: 1, Category: "logic", Status: runfile.New},
			{ID: "a2", Title: "stood here", Severity: "critical", File: "a.py", Line: 9, EndLine: 9, Category: "logic", Status: runfile.PreExisting}},
		Fixed: []finding.Finding{{ID: "a3", Title: "went away", Severity: "low", File: "a.py", Line: 5, EndLine: 5, Category: "logic",
			Status: runfile.Fixed}}}
	for name, write := range map[string]func(io.Writer, runfile.Report) error{"github": WriteGitHub, "comment": WriteComment,
		"junit": WriteJUnit, "gitlab": WriteGitLab} {
		var b strings.Builder
		if err := write(&b, r); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, "brought in") || strings.Contains(got, "stood here") ||
			strings.Contains(got, "went away") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if got, want := headline(r), "1 new finding: 1 high; 1 that was there before, 1 fixed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range []struct {
		severity string
		all, new bool
	}{{"critical", true, false}, {"high", true, true}} {
		if FailOn(r, c.severity, false) != c.all || FailOnNew(r, c.severity, false) != c.new {
			t.Errorf("%s: %v and %v, want %v and %v", c.severity, FailOn(r, c.severity, false), FailOnNew(r, c.severity, false), c.all, c.new)
		}
	}
	whole := r
	whole.Change = nil
	if notes := Diff(whole, r).Notes; len(notes) != 1 || !strings.Contains(notes[0], "need not be fixed") {
		t.Errorf("a change after a whole review: %q", notes)
	}
	if notes := Diff(r, whole).Notes; len(notes) != 1 || !strings.Contains(notes[0], "need not be new") {
		t.Errorf("a whole review after a change: %q", notes)
	}
	if top := FirstOf(r); len(top) != 1 || r.Findings[top[0].At].ID != "a1" {
		t.Errorf("first to do: %v", top)
	}
}

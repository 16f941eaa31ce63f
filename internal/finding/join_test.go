package finding_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/google/go-cmp/cmp"
)

func TestSameAndJoin(t *testing.T) {
	a := finding.Finding{File: "a.py", Line: 5, EndLine: 6, Category: "logic", Title: "bound", Severity: "low", Grounded: true,
		Evidence: "x  = 1", Sources: []string{"1"}}
	b := a
	b.File, b.Severity, b.Sources, b.Evidence = "b.py", "high", []string{"2"}, "x = 1"
	if finding.Same(a, b) || finding.SameEvidence(a, b) {
		t.Error("the same lines of two files are one defect")
	}
	near := b
	near.File, near.Line, near.EndLine = "a.py", 8, 8
	if !finding.Same(a, near) || !finding.SameEvidence(a, near) {
		t.Error("two claims two lines apart are two defects")
	}
	one := finding.Join([]finding.Finding{a, b, finding.Join([]finding.Finding{a, near})})
	if one.Severity != "high" || len(one.Places) != 3 || !cmp.Equal(one.Sources, []string{"1", "2"}) {
		t.Errorf("joined: %+v", one)
	}
	if alone := finding.Join([]finding.Finding{a}); alone.Places != nil {
		t.Errorf("one place alone is told twice: %v", alone.Places)
	}
}

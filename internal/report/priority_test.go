package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func topIDs(r runfile.Report) string {
	var ids []string
	for _, top := range r.Top {
		ids = append(ids, top.ID)
	}
	return strings.Join(ids, " ")
}

func looked(status string) *runfile.Verification { return &runfile.Verification{Status: status} }

// Each finding stands before the next for one reason.
func TestWhatToDoFirst(t *testing.T) {
	handler := func(f finding.Finding) Access {
		return map[string]Access{"web.py": AccessOpen, "main.py": AccessStart}[f.File]
	}
	want := []finding.Finding{
		{ID: "a", Severity: "critical", File: "lib.py", Confidence: 0.1},
		{ID: "b", Severity: "high", File: "web.py", Confidence: 0.2},
		{ID: "c", Severity: "high", File: "main.py", Confidence: 0.3},
		{ID: "d", Severity: "high", File: "lib.py", Confidence: 0.3, Verification: looked(finding.Stands)},
		{ID: "e", Severity: "high", File: "lib.py", Confidence: 0.9},
		{ID: "f", Severity: "high", File: "lib.py", Confidence: 0.8, Verification: looked(finding.Unverified)},
		{ID: "g", Severity: "high", File: "lib.py", Confidence: 0.9, Verification: looked(finding.Unsure)},
		{ID: "h", Severity: "critical", File: "examples/x.py", Confidence: 0.1},
		{ID: "h2", Severity: "critical", File: "README.md", Verification: looked(finding.Unsure)},
		{ID: "i", Severity: "critical", File: "tests/x.py", Confidence: 0.1},
		{ID: "j", Severity: "medium", File: "y.py", Confidence: 0.05},
	}
	r := runfile.Report{Findings: slices.Clone(want)}
	slices.Reverse(r.Findings)
	Prioritise(&r, handler)
	if got := topIDs(r); got != "a b c d e f h g h2 i" {
		t.Errorf("order %s", got)
	}
	if why := r.Top[1].Why; why != "high, production code, in a request handler on which no login check stands, confidence 20%" {
		t.Error(why)
	}
	if why := r.Top[3].Why; why != "high, production code, a verifier found that it stands" {
		t.Error(why)
	}
}

// One rule has one place among the first, and no more than ten have one.
func TestARuleStandsAmongTheFirstOnce(t *testing.T) {
	var r runfile.Report
	for i := range 30 {
		f := finding.Finding{ID: fmt.Sprint("id", i), Severity: "high", File: "a.py", Reader: runfile.ReaderRules}
		if i < 20 {
			f.Rule = "go/weak"
		}
		r.Findings = append(r.Findings, f)
	}
	Prioritise(&r, nil)
	if len(r.Top) != 10 || len(r.Top[0].Same) != 19 || r.Top[1].ID != "id20" || r.Top[1].Same != nil {
		t.Errorf("%+v", r.Top)
	}
	if why := r.Top[0].Why; why != "high, production code, found by a static rule" {
		t.Error(why)
	}
}

// What a file says is the first to do need not be true.
func TestTopIsReadWithCare(t *testing.T) {
	r := runfile.Report{Findings: []finding.Finding{{ID: "a"}, {ID: "b"}}}
	if got := len(FirstOf(r)); got != 2 {
		t.Errorf("an old report has %d first findings", got)
	}
	r.Top = []runfile.TopFinding{{ID: "b", Why: strings.Repeat("x", 5000), Same: []string{"b", "zz", "a", "a"}}, {ID: "zz"}, {ID: "b"}}
	got := FirstOf(normal(r))
	if len(got) != 1 || got[0].At != 1 || len(got[0].Same) != 1 || got[0].Same[0] != 0 || len(got[0].Why) > 400 {
		t.Errorf("%+v", got)
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, runfile.Report{}); err != nil || bytes.Contains(b.Bytes(), []byte(`"top"`)) {
		t.Error("a report that names nothing first speaks of it")
	}
}

// More than ten findings: the first in full, the others by cause and folded, each once.
func TestMarkdownBeginsWithWhatToDoFirst(t *testing.T) {
	d := sample()
	d.Report.Findings = nil
	for i := range 25 {
		f := finding.Finding{ID: fmt.Sprintf("%016x", i), Title: fmt.Sprintf("Defect %d_", i), Severity: "high", Category: "xss",
			File: fmt.Sprintf("pkg%d/__init__.py", i%2), Line: i + 1, Evidence: "x", Confidence: 0.5}
		if i >= 20 {
			f.Rule, f.Title, f.Severity = "py/x", "Rule", "low"
		}
		d.Report.Findings = append(d.Report.Findings, f)
	}
	text := string(markdownOf(t, d))
	first, others, ok := strings.Cut(text, "## The others, by cause\n")
	listed, folded, ok2 := strings.Cut(others, "<details><summary>These in full</summary>")
	if !ok || !ok2 || !strings.Contains(first, "## What to do first\n") || strings.Count(first, "\n### ") != 10 {
		t.Fatal(text)
	}
	for _, want := range []string{"**xss in pkg0** (5)", "**xss in pkg1** (5)", "**Rule** (5)", "- low `pkg0/__init__.py:21`\n"} {
		if !strings.Contains(listed, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Count(strings.Split(folded, "</details>")[0], "\n### ") != 15 || strings.Contains(text, "Defect 3_") {
		t.Error("the others are not all there in full, or not escaped")
	}
}

// What the root took back stands in every form with its reason, and fails a build unless models are trusted.
func TestDismissedFindingsAreShown(t *testing.T) {
	d := verifiedSample()
	for name, text := range map[string]string{"report.md": string(markdownOf(t, d)), "report.sarif": string(sarifOf(t, d)),
		"report.json": string(jsonOf(t, d))} {
		if !strings.Contains(text, "sqlite3 closes it") || !strings.Contains(text, "openai/my-root") {
			t.Errorf("%s does not say why a finding was dismissed, and by whom", name)
		}
	}
	if !strings.Contains(string(textOf(t, d, Style{})), "1 dismissed") {
		t.Error("the terminal keeps silent")
	}
	d.Report.Findings, d.Report.Refuted = nil, nil
	if !FailOn(d.Report, "info", false) || FailOn(d.Report, "info", true) {
		t.Error("a dismissed finding counts unless models are trusted")
	}
}

// A reason that stands for many files names none, and a review of everything needs no section on what it lacks.
func TestCoverageSectionSaysSomething(t *testing.T) {
	d := sample()
	d.Report.Coverage.Skipped = []runfile.Skip{{Why: "not matched by include globs: 602 files"}}
	if text := string(markdownOf(t, d)); !strings.Contains(text, "\nSkipped, not matched by include globs: 602 files.\n") {
		t.Error(text)
	}
	d.Report.Coverage.Skipped, d.Files, d.Report.Run.Status, d.Report.Run.Shortfalls = nil, d.Files[:1], trace.StatusCompleted, nil
	if text := string(markdownOf(t, d)); strings.Contains(text, "## Coverage") {
		t.Error("a section says what the head has said")
	}
}

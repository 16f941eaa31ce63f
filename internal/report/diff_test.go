package report

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

func lines(fs []finding.Finding) string {
	var all []string
	for _, f := range fs {
		all = append(all, f.String()[:strings.IndexByte(f.String(), '-')])
	}
	return strings.Join(all, " ")
}

func TestDiff(t *testing.T) {
	at := func(file string, line int, code string) finding.Finding {
		return finding.Merge([]finding.Finding{{File: file, Line: line, EndLine: line, Category: "logic", Severity: "high",
			Title: "It fails at " + code, Evidence: code, Grounded: true}})[0]
	}
	run := runfile.ReportRun{Status: trace.StatusCompleted, Root: "a/root", Worker: "a/worker"}
	old := runfile.Report{Run: run, Coverage: runfile.ReportCoverage{Fraction: 1},
		Findings: []finding.Finding{at("a.py", 1, "stays"), at("a.py", 2, "moves"), at("a.py", 3, "goes"), at("a.py", 4, "refuted"),
			at("a.py", 5, "suppressed"), at("a.py", 6, "dismissed")},
		Suppressed: []runfile.Suppressed{{Finding: at("a.py", 7, "hidden")}, {Finding: at("a.py", 8, "silent")}}}
	now := runfile.Report{Run: run, Coverage: runfile.ReportCoverage{Fraction: 1},
		Findings:   []finding.Finding{at("a.py", 1, "stays"), at("a.py", 20, "moves"), at("b.py", 9, "comes"), at("a.py", 7, "hidden")},
		Suppressed: []runfile.Suppressed{{Finding: at("a.py", 5, "suppressed")}},
		Refuted:    []runfile.Refuted{{Finding: at("a.py", 4, "refuted")}},
		Dismissed:  []runfile.Dismissed{{Finding: at("a.py", 6, "dismissed")}}}
	d := Diff(old, now)
	for what, list := range map[string]struct {
		got  []finding.Finding
		want string
	}{
		"new": {d.New, "b.py:9"}, "fixed": {d.Fixed, "a.py:3"}, "persisting": {d.Persisting, "a.py:1 a.py:7"},
		"aside": {d.Aside, "a.py:5 a.py:6 a.py:4"},
	} {
		if got := lines(list.got); got != list.want {
			t.Errorf("%s: %s, want %s", what, got, list.want)
		}
	}
	if len(d.Moved) != 1 || d.Moved[0].Line != 20 || d.Moved[0].From.Line != 2 || len(d.Notes) != 0 {
		t.Errorf("moved %+v, notes %q", d.Moved, d.Notes)
	}
	skipped := func(r runfile.Report, paths ...string) runfile.Report {
		for _, path := range paths {
			r.Coverage.Skipped = append(r.Coverage.Skipped, runfile.Skip{Path: path, Why: "excluded", By: "user"})
		}
		return r
	}
	old.Findings = append(old.Findings, at("lib/x/c.py", 1, "left out"))
	for _, c := range []struct {
		old, now runfile.Report
		want     string
	}{
		{old, skipped(now, "lib/"), "1 of the fixed stand in files that"}, {old, skipped(now, "lib/x/c.py", "li", "x/"), "1 of"},
		{old, skipped(now, ""), "2 of"}, {skipped(old, ""), skipped(now, ""), ""}, {old, skipped(now, "other/", "b.py"), ""},
	} {
		if got := strings.Join(Diff(c.old, c.now).Notes, "\n"); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	now.Known = new(3)
	now.Run.Status, now.Run.Worker, now.Coverage.Fraction, old.Run.Status = trace.StatusPartial, "b/worker", 0.5, trace.StatusFailed
	all := strings.Join(Diff(old, now).Notes, "\n")
	for _, want := range []string{"the new review is partial", "covers less (50% of the lines, before 100%)", "the old review is failed",
		"lists only what its baseline report has not", "other readers: a/root with b/worker, before a/root with a/worker"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q does not say %q", all, want)
		}
	}
	var b strings.Builder
	err := DiffText(&b, d, Style{})
	if err != nil || strings.Contains(b.String(), "persisting\n") || !strings.Contains(b.String(), "from a.py:2") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

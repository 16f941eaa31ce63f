package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Detail is one finding with all that is known of it.
type Detail struct {
	Finding finding.Finding
	// List is the list of the report that it stands in: findings, ungrounded, refuted, suppressed or dismissed.
	List string
	// First says why it is among the first to do, "" when it is not.
	First string
	// By is who suppressed or dismissed it; Proof is the code that refutes it.
	By    string
	Proof *runfile.Proof
	// Code are the lines around it, From the number of the first; CodeNote says where they come from.
	Code     string
	From     int
	CodeNote string
}

// WriteDetail writes one finding for the terminal: what it is, its code with the lines of the finding marked, what is wrong,
// and what to do.
func WriteDetail(w io.Writer, d Detail, s Style) error {
	f := normalFinding(d.Finding)
	var b strings.Builder
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-10s  %s\n", name, termtext.Inline(text))
		}
	}
	fmt.Fprintf(&b, "%s\n", s.bold(termtext.Inline(f.Title)))
	fmt.Fprintf(&b, "%s  %s\n\n", s.severity(f.Severity), target(f))
	row("category", strings.TrimSpace(f.Category+" "+f.CWE))
	row("found by", reader(f)+", confidence "+confidence(f.Confidence))
	row("first", d.First)
	row("status", listStatus(d))
	row("triage", Decided(f.Triage))
	row("introduced", introduced(f))
	row("id", f.ID)
	fmt.Fprintf(&b, "\n")
	if d.CodeNote != "" {
		fmt.Fprintf(&b, "%s\n", s.faint(termtext.Inline(d.CodeNote)))
	}
	s.code(&b, d.Code, d.From, f.Line, f.EndLine)
	part := func(name string, lines ...string) {
		if text := strings.Trim(strings.Join(lines, "\n"), "\n"); strings.TrimSpace(text) != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", s.bold(name), termtext.Visible(text))
		}
	}
	part("What is wrong", f.Explanation)
	part("Fix", f.Suggestion)
	part("Way of the value", pathLines(f.Path)...)
	part("Places", placeLines(f.Places)...)
	part("Why", f.Why)
	if d.Proof != nil {
		part("Proof", proofPlace(d.Proof), clip(d.Proof.Quote, maxProof))
	}
	part("Second look", verified(f))
	if f.Verification != nil && f.Verification.Execution != nil {
		part("Demonstration", executed(f.Verification.Execution), f.Verification.Execution.Check)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write finding: %w", err)
	}
	return nil
}

// Decided says what somebody decided about a finding; "" where nobody did.
func Decided(t *runfile.Triage) string {
	if t == nil {
		return ""
	}
	text := t.State
	if t.By != "" {
		text += " by " + t.By
	}
	if !t.At.IsZero() {
		text += " on " + t.At.UTC().Format(time.DateOnly)
	}
	if t.Until != "" {
		text += ", until " + t.Until
	}
	if t.Reason != "" {
		text += ": " + t.Reason
	}
	return clip(text, maxName)
}

// code writes lines with their numbers, and a mark before those from line to end.
func (s Style) code(b *strings.Builder, text string, from, line, end int) {
	if text == "" {
		return
	}
	from = max(1, from)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	wide := len(fmt.Sprint(from + len(lines)))
	for i, l := range lines {
		n := from + i
		mark, out := " ", fmt.Sprintf("%*d | %s", wide, n, termtext.Visible(strings.TrimSuffix(l, "\r")))
		if line > 0 && n >= line && n <= max(line, end) {
			mark, out = ">", s.bold(out)
		}
		fmt.Fprintf(b, "%s %s\n", mark, out)
	}
}

// reader says who made a claim.
func reader(f finding.Finding) string {
	switch {
	case f.Rule != "":
		return "rule " + f.Rule
	case f.Reader == runfile.ReaderRules:
		return "a static rule"
	case f.Reader == runfile.ReaderModel:
		return "a language model"
	}
	return "a worker" // of which kind, older versions did not say
}

// introduced is "0123456789ab, 2026-01-02", "" when it is not known.
func introduced(f finding.Finding) string {
	in := f.Introduced
	if in == nil {
		return ""
	}
	return termtext.Inline(termtext.Cut(in.Commit, 12) + ", " + termtext.Cut(in.Date, 10))
}

// listStatus says what it means that a finding stands aside.
func listStatus(d Detail) string {
	switch d.List {
	case "ungrounded":
		return "not confirmed: it quotes no code that could be found"
	case "refuted":
		return "refuted by " + refuter(runfile.Refuted{Finding: d.Finding})
	case "suppressed":
		return "suppressed by a " + d.By
	case "dismissed":
		return "dismissed by " + orUnknown(d.By)
	}
	return ""
}

// maxPlaces is how many places, and steps of a path, people are shown of one finding.
const maxPlaces = 50

func pathLines(path []runfile.Step) []string {
	var out []string
	for _, step := range path[:min(len(path), maxPlaces)] {
		out = append(out, fmt.Sprintf("  %-6s  %s  %s", stepKind(step), termtext.Inline(fmt.Sprintf("%s:%d", step.File, step.Line)),
			termtext.Inline(clip(step.Text, maxName))))
	}
	return out
}

func placeLines(places []runfile.Place) []string {
	var out []string
	for _, p := range places[:min(len(places), maxPlaces)] {
		out = append(out, "  "+termtext.Inline(fmt.Sprintf("%s:%d", p.File, p.Line)))
	}
	if n := len(places) - maxPlaces; n > 0 {
		out = append(out, fmt.Sprintf("  and %s more, in report.json", count(n)))
	}
	return out
}

func stepKind(s runfile.Step) string {
	switch s.Kind {
	case "source", "sink":
		return s.Kind
	}
	return "step"
}

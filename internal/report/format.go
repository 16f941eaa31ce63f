package report

import (
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Formats are the forms that Write knows, by name.
func Formats() []string {
	return []string{"text", "json", "sarif", "github", "gitlab", "junit", "markdown"}
}

// Write writes a report in the form of that name: text as [Text] without a style, json as [WriteJSON], sarif as [WriteSARIF],
// github as [WriteGitHub], gitlab as [WriteGitLab], junit as [WriteJUnit], markdown as [WriteComment]. version is deeprepo's.
func Write(w io.Writer, format string, r runfile.Report, version string) error {
	switch format {
	case "text":
		return Text(w, r, Style{})
	case "json":
		return WriteJSON(w, r)
	case "sarif":
		return WriteSARIF(w, r, version)
	case "github":
		return WriteGitHub(w, r)
	case "gitlab":
		return WriteGitLab(w, r)
	case "junit":
		return WriteJUnit(w, r)
	case "markdown":
		return WriteComment(w, r)
	}
	return fmt.Errorf("no format is called %q", format)
}

// ordered are a report's findings, those first that are to be done first; of a change's, what it brings in.
func ordered(r runfile.Report) []finding.Finding {
	out, seen := make([]finding.Finding, 0, len(r.Findings)), map[int]bool{}
	for _, first := range FirstOf(r) {
		out, seen[first.At] = append(out, r.Findings[first.At]), true
	}
	for i, f := range r.Findings {
		if !seen[i] && f.Status != runfile.PreExisting {
			out = append(out, f)
		}
	}
	return out
}

// missing says in plain lines why a review is not complete; none, where it is.
func missing(r runfile.Report) []string {
	var lines []string
	if r.Run.Status != trace.StatusCompleted {
		lines = append(lines, StatusSentence(r.Run))
	}
	for _, s := range r.Run.Shortfalls {
		lines = append(lines, s.Text)
	}
	return lines
}

// plainText is what a finding says, in plain text of several lines: at most so many bytes.
func plainText(f finding.Finding, most int) string {
	text := termtext.Visible(f.Explanation)
	if text == "" {
		text = termtext.Inline(f.Title)
	}
	if f.Suggestion != "" {
		text += "\n\nSuggestion: " + termtext.Visible(f.Suggestion)
	}
	return clip(text, most)
}

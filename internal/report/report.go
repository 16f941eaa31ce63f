// Package report holds what a review found and writes it down: report.json for programs, report.md for people, report.sarif
// for code hosts, and a few lines for the terminal. (report.html is the page of deeprepo ui: packages view and page.)
//
// A [runfile.Report] is the data of report.json. A [Document] adds what only people look at: the files with their coverage. Every
// writer is a pure function of its input: same document, same bytes.
//
// The invariant: text that came from a model or a repository leaves this package escaped for the place it goes to. No
// writer emits HTML, Markdown links, or terminal escapes that such text contains. An unknown cost is null or "?", never 0.
//
// The package does not decide what is a finding (package finding does) and does not open files.
package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Schema is the version of report.json that this package writes and reads.
const Schema = 1

// Document is a report with what people look at beside it.
type Document struct {
	Report runfile.Report
	Files  []FileCoverage
}

// Source gives the text of a file. *codebase.Codebase satisfies it.
type Source interface {
	Text(path string) (string, bool)
}

// FileCoverage is the state of one file of the codebase.
type FileCoverage struct {
	Path string
	// Lines is the number of lines, Answered how many of them a usable reply came back for.
	Lines, Answered int
}

// WriteJSON writes report.json. Lists that are empty are written as [], never null.
func WriteJSON(w io.Writer, r runfile.Report) error {
	if err := jsonfile.Write(w, normal(r)); err != nil {
		return fmt.Errorf("write report.json: %w", err)
	}
	return nil
}

// normal fills what must not be null and holds the words of fixed vocabularies to them, so that no writer need ask.
func normal(r runfile.Report) runfile.Report {
	r.Schema = cmp.Or(r.Schema, Schema)
	for _, name := range []*string{&r.Run.ID, &r.Run.Root, &r.Run.Worker} {
		*name = clip(*name, maxName)
	}
	r.Run.StopReason = trace.StopReason(clip(string(r.Run.StopReason), maxName))
	r.Run.Shortfalls = Shortfalls(r.Run.Shortfalls)
	r.Findings = normalFindings(r.Findings)
	r.Ungrounded = normalFindings(r.Ungrounded)
	if r.Fixed != nil {
		r.Fixed = normalFindings(r.Fixed)
	}
	if r.Top != nil {
		r.Top = slices.Clone(r.Top)
		for i := range r.Top {
			r.Top[i].Why = clip(r.Top[i].Why, maxName)
		}
	}
	if r.Dismissed != nil {
		r.Dismissed = slices.Clone(r.Dismissed)
		for i := range r.Dismissed {
			d := &r.Dismissed[i]
			d.Finding, d.By = normalFinding(d.Finding), clip(d.By, maxName)
		}
	}
	suppressed := make([]runfile.Suppressed, len(r.Suppressed))
	for i, s := range r.Suppressed {
		s.Finding = normalFinding(s.Finding)
		if s.By != "file" && s.By != "triage" && s.By != BySkip {
			s.By = "comment"
		}
		suppressed[i] = s
	}
	r.Suppressed = suppressed
	normalVerification(&r)
	switch r.Run.Status {
	case trace.StatusCompleted, trace.StatusPartial:
	default:
		r.Run.Status = trace.StatusFailed
	}
	if r.Coverage.Skipped == nil {
		r.Coverage.Skipped = []runfile.Skip{}
	}
	if r.Repo.Languages == nil {
		r.Repo.Languages = map[string]int{}
	}
	return r
}

func normalFindings(fs []finding.Finding) []finding.Finding {
	out := make([]finding.Finding, len(fs))
	for i, f := range fs {
		out[i] = normalFinding(f)
	}
	return out
}

// maxName bounds what stands in headings.
const maxName = 300

// mostPlaces bounds the places of one finding that a file may hold.
const mostPlaces = 10_000

func normalPlaces(all []runfile.Place) []runfile.Place {
	if len(all) < 2 {
		return nil
	}
	out := make([]runfile.Place, 0, min(len(all), mostPlaces))
	for _, p := range all[:min(len(all), mostPlaces)] {
		p.Line = max(0, p.Line)
		p.EndLine = max(p.Line, p.EndLine)
		p.Fingerprint = normalFingerprint(p.Fingerprint)
		out = append(out, p)
	}
	return out
}

// normalFingerprint is a fingerprint, or "".
func normalFingerprint(s string) string {
	if finding.IsID(s) {
		return s
	}
	return ""
}

func normalFinding(f finding.Finding) finding.Finding {
	f.Title, f.Fingerprint = clip(f.Title, maxName), normalFingerprint(f.Fingerprint)
	f.Severity = finding.NormalSeverity(f.Severity)
	f.CWE = finding.NormalCWE(f.CWE)
	f.Category = finding.NormalCategory(f.Category, f.CWE)
	f.Verification = normalSecond(f.Verification)
	f.Line = max(0, f.Line)
	f.EndLine = max(f.Line, f.EndLine)
	f.Places = normalPlaces(f.Places)
	if !slices.Contains([]string{runfile.New, runfile.PreExisting, runfile.Fixed}, f.Status) {
		f.Status = ""
	}
	if !finding.IsRule(f.Rule) {
		f.Rule = ""
	}
	if f.Reader != runfile.ReaderRules && f.Reader != "" {
		f.Reader = runfile.ReaderModel
	}
	if f.Sources == nil {
		f.Sources = []string{}
	}
	return f
}

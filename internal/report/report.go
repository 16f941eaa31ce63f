// Package report holds what a review found and writes it down: report.json for programs, report.md for people, report.sarif
// for code hosts, and a few lines for the terminal. (report.html is the page of deeprepo ui: packages view and page.)
//
// A [Report] is the data of report.json. A [Document] adds what only people look at: the files with their coverage. Every
// writer is a pure function of its input: same document, same bytes.
//
// The invariant: text that came from a model or a repository leaves this package escaped for the place it goes to. No
// writer emits HTML, Markdown links, or terminal escapes that such text contains. An unknown cost is null or "?", never 0.
//
// The package does not decide what is a finding (package finding does) and does not open files.
package report

import (
	"fmt"
	"io"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Schema is the version of report.json that this package writes and reads.
const Schema = 1

// Report is report.json.
type Report struct {
	Schema     int        `json:"schema"`
	Run        Run        `json:"run"`
	Repo       Repo       `json:"repo"`
	Coverage   Coverage   `json:"coverage"`
	Usage      Usage      `json:"usage"`
	Turns      int        `json:"turns"`
	Dispatches int        `json:"dispatches"`
	Errors     ErrorTally `json:"errors"`
	// Findings are grounded, in report order.
	Findings []finding.Finding `json:"findings"`
	// Ungrounded findings quote nothing that could be found, each with its Why.
	Ungrounded []finding.Finding `json:"ungrounded"`
	// Refuted findings are kept apart because the code proves them wrong; nil where nothing was verified.
	Refuted []Refuted `json:"refuted,omitzero"`
	// Verification says what the second look at the findings came to; nil where there was none.
	Verification *Verification `json:"verification,omitempty"`
	// Suppressed findings are left out of Findings by a comment or the suppress file.
	Suppressed []Suppressed `json:"suppressed,omitempty"`
	// Known counts the findings left out because the baseline report has them; nil when there was no baseline.
	Known *int `json:"known,omitempty"`
	// Analysis is the root's own document, in Markdown.
	Analysis string `json:"analysis"`
}

// Run says how the review went.
type Run struct {
	ID         string           `json:"id"`
	Status     trace.Status     `json:"status"`
	StopReason trace.StopReason `json:"stop_reason"`
	StartedAt  time.Time        `json:"started_at"`
	// DurationS is in seconds.
	DurationS float64 `json:"duration_s"`
	// Root and Worker are model names such as "anthropic/claude", "offline/rules".
	Root   string `json:"root"`
	Worker string `json:"worker"`
}

// Repo is the codebase that was reviewed.
type Repo struct {
	Path   string `json:"path"`
	Commit string `json:"commit"`
	Files  int    `json:"files"`
	Lines  int    `json:"lines"`
	Chars  int    `json:"chars"`
	// Languages counts lines by language.
	Languages map[string]int `json:"languages"`
}

// Coverage says how much of the codebase reached a worker.
type Coverage struct {
	FilesTotal      int `json:"files_total"`
	FilesDispatched int `json:"files_dispatched"`
	LinesTotal      int `json:"lines_total"`
	LinesDispatched int `json:"lines_dispatched"`
	// Fraction is LinesDispatched of LinesTotal, 0 to 1.
	Fraction float64 `json:"fraction"`
	// Skipped are the files that were never part of the review.
	Skipped []Skip `json:"skipped"`
}

// Skip is a file left out, and why.
type Skip struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Usage is what the models were asked for and what that cost.
type Usage struct {
	Root   ModelUsage `json:"root"`
	Worker ModelUsage `json:"worker"`
	// TotalCostUSD is nil when any part of it is unknown.
	TotalCostUSD *float64 `json:"total_cost_usd"`
}

// ModelUsage is the usage of one model.
type ModelUsage struct {
	Calls        int   `json:"calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CachedTokens int64 `json:"cached_tokens"`
	// CostUSD is nil when it is unknown.
	CostUSD *float64 `json:"cost_usd"`
}

// TotalCost is the sum of both costs in US dollars, nil when a model that was called has no known cost.
func TotalCost(root, worker ModelUsage) *float64 {
	sum := 0.0
	for _, u := range []ModelUsage{root, worker} {
		switch {
		case u.CostUSD != nil:
			sum += *u.CostUSD
		case u.Calls > 0:
			return nil
		}
	}
	return &sum
}

// ErrorTally counts what went wrong on the way.
type ErrorTally struct {
	// Cell counts cells that ended in an error; Repeated those that ended in the same one as the cell before.
	Cell     int `json:"cell"`
	Repeated int `json:"repeated"`
	// Dispatch counts dispatches that gave no reply.
	Dispatch int `json:"dispatch"`
}

// Document is a report with what people look at beside it.
type Document struct {
	Report Report
	Files  []FileCoverage
}

// Source gives the text of a file. *codebase.Codebase satisfies it.
type Source interface {
	Text(path string) (string, bool)
}

// FileCoverage is the state of one file of the codebase.
type FileCoverage struct {
	Path string
	// Lines is the number of lines, Dispatched how many of them reached a worker.
	Lines, Dispatched int
}

// WriteJSON writes report.json. Lists that are empty are written as [], never null.
func WriteJSON(w io.Writer, r Report) error {
	if err := jsonfile.Write(w, normal(r)); err != nil {
		return fmt.Errorf("write report.json: %w", err)
	}
	return nil
}

// normal fills what must not be null and holds the words of fixed vocabularies to them, so that no writer need ask.
func normal(r Report) Report {
	if r.Schema == 0 {
		r.Schema = Schema
	}
	for _, name := range []*string{&r.Run.ID, &r.Run.Root, &r.Run.Worker} {
		*name = clip(*name, maxName)
	}
	r.Run.StopReason = trace.StopReason(clip(string(r.Run.StopReason), maxName))
	r.Findings = normalFindings(r.Findings)
	r.Ungrounded = normalFindings(r.Ungrounded)
	suppressed := make([]Suppressed, len(r.Suppressed))
	for i, s := range r.Suppressed {
		s.Finding = normalFinding(s.Finding)
		if s.By != "file" {
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
		r.Coverage.Skipped = []Skip{}
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

func normalFinding(f finding.Finding) finding.Finding {
	f.Title = clip(f.Title, maxName)
	f.Severity = finding.NormalSeverity(f.Severity)
	f.CWE = finding.NormalCWE(f.CWE)
	f.Category = finding.NormalCategory(f.Category, f.CWE)
	f.Verification = normalSecond(f.Verification)
	f.Line = max(0, f.Line)
	f.EndLine = max(f.Line, f.EndLine)
	if f.Sources == nil {
		f.Sources = []string{}
	}
	return f
}

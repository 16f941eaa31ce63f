package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	shown "github.com/deeprepo/deeprepo/internal/view/review"
)

// row is one finding in a list.
type row struct {
	ID         string  `json:"id"`
	Severity   string  `json:"severity"`
	Category   string  `json:"category"`
	CWE        string  `json:"cwe,omitempty"`
	Title      string  `json:"title"`
	File       string  `json:"file"`
	Line       int     `json:"line"`
	EndLine    int     `json:"end_line"`
	Places     int     `json:"places"`
	Rule       string  `json:"rule,omitempty"`
	Confidence float64 `json:"confidence"`
	Status     string  `json:"status,omitempty"` // of a change's: new or pre-existing
	Triage     string  `json:"triage,omitempty"`
	Why        string  `json:"why_first,omitempty"`
}

func rowOf(f finding.Finding) row {
	r := row{ID: f.ID, Severity: f.Severity, Category: f.Category, CWE: f.CWE, Title: f.Title, Status: f.Status, File: f.File, Line: f.Line,
		EndLine: f.EndLine, Places: max(len(f.Places), 1), Rule: f.Rule, Confidence: f.Confidence}
	if f.Triage != nil {
		r.Triage = f.Triage.State
	}
	return r
}

type findingsIn struct {
	Run      string `json:"run" jsonschema:"the run that review gave"`
	Severity string `json:"severity,omitempty" jsonschema:"at least this severe: critical, high, medium, low or info"`
	Category string `json:"category,omitempty" jsonschema:"only of this category"`
	Path     string `json:"path,omitempty" jsonschema:"only in files that match this pattern, such as src/**"`
	Limit    int    `json:"limit,omitempty" jsonschema:"at most so many, up to 200; default 20"`
	Cursor   string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

type findingsOut struct {
	Findings   []row  `json:"findings"`
	Total      int    `json:"total"` // that were asked for, on all pages
	NextCursor string `json:"next_cursor,omitempty"`
}

func (s *Server) findings(_ context.Context, c *call, in findingsIn) (findingsOut, error) {
	out := findingsOut{Findings: []row{}}
	if in.Severity != "" && !slices.Contains(taxonomy.Severities(), in.Severity) {
		return out, hint.New(quoted(in.Severity)+" is not a severity", "use "+strings.Join(taxonomy.Severities(), ", "))
	}
	if in.Category != "" && !taxonomy.IsCategory(in.Category) {
		return out, hint.New(quoted(in.Category)+" is not a category", "use "+strings.Join(taxonomy.Categories(), ", "))
	}
	from, limit, err := page(in.Cursor, in.Limit)
	if err != nil {
		return out, err
	}
	run, err := s.run(c.roots, in.Run)
	if err != nil {
		return out, err
	}
	path := report.PathPattern(in.Path)
	for _, f := range run.report.Findings {
		if in.Severity != "" && taxonomy.Rank(f.Severity) < taxonomy.Rank(in.Severity) || in.Category != "" && f.Category != in.Category ||
			in.Path != "" && !path.MatchString(f.File) {
			continue
		}
		if out.Total >= from && len(out.Findings) < limit {
			out.Findings = append(out.Findings, rowOf(f))
		}
		out.Total++
	}
	if next := from + len(out.Findings); next < out.Total && len(out.Findings) > 0 {
		out.NextCursor = strconv.Itoa(next)
	}
	return out, nil
}

// page reads a cursor, and a limit with its default.
func page(cursor string, limit int) (from, most int, err error) {
	if cursor != "" {
		n, err := strconv.ParseUint(cursor, 10, 31)
		if err != nil {
			return 0, 0, hint.New(quoted(cursor)+" is no cursor", "pass on next_cursor as it is")
		}
		from = int(n)
	}
	if limit <= 0 {
		limit = 20
	}
	return from, min(limit, 200), nil
}

type showIn struct {
	Run string `json:"run" jsonschema:"the run that review gave"`
	ID  string `json:"id" jsonschema:"the finding's ID, or its beginning"`
}

type showOut struct {
	row
	List        string              `json:"list"` // of the report: findings, ungrounded, refuted, suppressed or dismissed
	Evidence    string              `json:"evidence"`
	Explanation string              `json:"explanation"`
	Suggestion  string              `json:"suggestion"`
	Reader      string              `json:"reader,omitempty"`
	Grounded    bool                `json:"grounded"`
	All         []runfile.Place     `json:"all_places"`
	Path        []runfile.Step      `json:"path"` // of the value, where it is known
	Introduced  *runfile.Introduced `json:"introduced,omitempty"`
	Code        string              `json:"code,omitempty"` // as it was reviewed, without secrets
	CodeFrom    int                 `json:"code_from,omitempty"`
	Reason      string              `json:"reason,omitempty"` // why it is in its list
}

func (s *Server) show(_ context.Context, c *call, in showIn) (showOut, error) {
	run, err := s.run(c.roots, in.Run)
	if err != nil {
		return showOut{}, err
	}
	pages, err := run.shown()
	if err != nil {
		return showOut{}, err
	}
	document, err := pages.Get("finding/" + in.ID)
	if wrong := (*doc.Error)(nil); errors.As(err, &wrong) {
		err = hint.Wrap(err, cmp.Or(wrong.Hint, "the tool findings lists them"))
	}
	if err != nil {
		return showOut{}, err
	}
	f, ok := document.(shown.One)
	if !ok {
		return showOut{}, fmt.Errorf("%s holds no review", quoted(in.Run))
	}
	out := showOut{row: rowOf(f.Finding.Finding), List: f.List, Evidence: f.Evidence, Explanation: f.Explanation, Suggestion: f.Suggestion,
		Reader: f.Reader, Grounded: f.Grounded, All: finding.Places(f.Finding.Finding), Path: f.Path, Introduced: f.Introduced, Reason: f.Why}
	out.Why = f.First
	if f.Snippet != nil {
		out.Code, _ = redact.New().RedactFile(f.File, f.Snippet.Text)
		out.CodeFrom = f.Snippet.From
	}
	return out, nil
}

type dismissIn struct {
	Run    string `json:"run" jsonschema:"the run that review gave"`
	ID     string `json:"id" jsonschema:"the finding's ID, or its beginning"`
	State  string `json:"state" jsonschema:"accepted, false-positive, wont-fix, fixed or open"`
	Reason string `json:"reason" jsonschema:"why, for who reads the decision"`
}

type dismissOut struct {
	ID    string `json:"id"`
	State string `json:"state"`
	File  string `json:"file"` // where the decision stands
}

func (s *Server) dismiss(_ context.Context, c *call, in dismissIn) (dismissOut, error) {
	if s.c.Dismiss == nil {
		return dismissOut{}, hint.New("this server writes nothing into a codebase", "start it with --allow-write, or run deeprepo triage")
	}
	run, err := s.run(c.roots, in.Run)
	if err != nil {
		return dismissOut{}, err
	}
	by := "an agent"
	if who := c.req.ClientInfo(); who != nil && who.Name != "" {
		by += ": " + termName(who.Name)
	}
	file, err := s.c.Dismiss(run.dir, Decision{ID: in.ID, State: in.State, Reason: in.Reason, By: by})
	return dismissOut{ID: in.ID, State: in.State, File: file}, err
}

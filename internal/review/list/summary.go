package list

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// mostFirst is how many findings a summary names.
const mostFirst = 20

// finished says whether a review came to its end: more of the same would not complete it.
func finished(r runfile.Report) bool {
	return r.Run.StopReason == trace.StopAnswer || r.Run.StopReason == trace.StopTurns
}

// entry is what became of the i-th repository, and its report.
func (l *lister) entry(i int, failed error) (runfile.ListReview, runfile.Report) {
	e := l.m.Options.Entries[i]
	out := runfile.ListReview{Name: e.Name, Source: e.Source, Ref: e.Ref, Dir: filepath.ToSlash(runDir(e)), Status: trace.StatusFailed,
		Severities: map[string]int{}}
	if failed != nil {
		out.Error = failed.Error()
	}
	r, err := review.ReadReport(filepath.Join(l.dir.Path(), runDir(e), review.ReportName+".json"))
	if err != nil {
		out.Error = cmp.Or(out.Error, "it was not reviewed")
		return out, runfile.Report{}
	}
	out.Status, out.Commit, out.Findings = r.Run.Status, r.Repo.Commit, len(r.Findings)
	out.Coverage, out.Lines = r.Coverage.Fraction, r.Coverage.LinesTotal
	out.CostUSD, out.AtMostUSD = r.Usage.TotalCostUSD, cmp.Or(r.Usage.AtMostUSD, r.Usage.TotalCostUSD)
	for _, f := range r.Findings {
		out.Severities[f.Severity]++
	}
	if out.Error == "" && r.Run.Status != trace.StatusCompleted {
		var why []string
		for _, s := range r.Run.Shortfalls {
			why = append(why, strings.TrimSuffix(s.Text, "."))
		}
		out.Error = cmp.Or(strings.Join(why, "; "), string(r.Run.StopReason))
	}
	return out, r
}

// conclude writes the summary.
func (l *lister) conclude() (Outcome, error) {
	out := Outcome{Dir: l.dir.Path(), List: runfile.List{Schema: 1, Started: l.m.StartedAt, Severities: map[string]int{},
		Repositories: []runfile.ListReview{}, First: []runfile.ListFinding{}}}
	s := &out.List
	cost, most := new(float64), new(float64)
	completed := 0
	for i := range l.m.Options.Entries {
		of, r := l.entry(i, l.failed[i])
		s.Repositories, out.Reports = append(s.Repositories, of), append(out.Reports, r)
		if of.Status == trace.StatusFailed {
			s.Failed++
			continue
		}
		s.Done++
		if of.Status == trace.StatusCompleted {
			completed++
		}
		s.Lines += r.Coverage.LinesTotal
		s.Answered += r.Coverage.LinesAnswered
		cost, most = money.Plus(cost, of.CostUSD), money.Plus(most, of.AtMostUSD)
		for severity, n := range of.Severities {
			s.Severities[severity] += n
		}
		for _, f := range r.Findings {
			s.First = append(s.First, runfile.ListFinding{Repository: of.Name, ID: f.ID, File: f.File, Line: f.Line, Severity: f.Severity,
				Category: f.Category, Title: f.Title})
		}
	}
	slices.SortStableFunc(s.First, func(a, b runfile.ListFinding) int {
		return cmp.Compare(taxonomy.Rank(b.Severity), taxonomy.Rank(a.Severity))
	})
	s.First = s.First[:min(len(s.First), mostFirst)]
	s.CostUSD, s.AtMostUSD = cost, most
	switch {
	case completed == len(s.Repositories):
		s.Status = trace.StatusCompleted
	case s.Done == 0:
		s.Status = trace.StatusFailed
	default:
		s.Status = trace.StatusPartial
	}
	return out, errors.Join(l.dir.WriteJSON(runfile.ListName+".json", s),
		l.dir.Write(runfile.ListName+".md", func(w io.Writer) error { return WriteMarkdown(w, *s) }))
}

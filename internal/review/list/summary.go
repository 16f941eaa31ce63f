package list

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// How many findings a summary names: of all repositories, and of each.
const (
	mostFirst = 20
	mostTop   = 3
)

// maxSummary bounds a summary that is read, in bytes.
const maxSummary = 64 << 20

// finished says whether a review came to its end: more of the same would not complete it.
func finished(r runfile.Report) bool {
	return r.Run.StopReason == trace.StopAnswer || r.Run.StopReason == trace.StopTurns
}

// entry is what became of the i-th repository, and its report.
func (l *lister) entry(i int, failed error) (runfile.ListReview, runfile.Report) {
	e := l.m.Options.Entries[i]
	out := runfile.ListReview{Name: e.Name, Source: e.Source, Ref: e.Ref, Dir: filepath.ToSlash(runDir(e)), Status: trace.StatusFailed,
		Severities: map[string]int{}, Top: []runfile.ListFinding{}}
	if failed != nil {
		out.Error = explained(failed)
	}
	r, err := l.report(i)
	if err != nil {
		out.Error = cmp.Or(out.Error, "it was not reviewed")
		out.CostUSD, out.AtMostUSD = l.paid(e)
		return out, runfile.Report{}
	}
	out.Status, out.Commit, out.Findings = r.Run.Status, r.Repo.Commit, len(r.Findings)
	out.Coverage, out.Lines = r.Coverage.Fraction, r.Coverage.LinesTotal
	out.CostUSD, out.AtMostUSD = r.Usage.TotalCostUSD, cmp.Or(r.Usage.AtMostUSD, r.Usage.TotalCostUSD)
	for _, first := range report.FirstOf(r)[:min(mostTop, len(report.FirstOf(r)))] {
		out.Top = append(out.Top, ofList(e, r.Findings[first.At]))
	}
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

// explained is an error's text with its advice.
func explained(err error) string {
	if advice := hint.Of(err); advice != "" {
		return err.Error() + "; hint: " + advice
	}
	return err.Error()
}

// paid is what a review without a report has cost, by its journal: nothing where it has none, nil where that is not known.
func (l *lister) paid(e Entry) (least, most *float64) {
	if rundir.Away(l.dir.Root(), runDir(e)) {
		return nil, nil
	}
	events, err := review.ReadTrace(l.dir.Root(), runDir(e))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && !l.begun(e) {
			return new(0.0), new(0.0)
		}
		return nil, nil
	}
	low, high, unknown := trace.Cost(events)
	if unknown > 0 {
		return nil, nil
	}
	return new(money.USD(low).Float64()), new(money.USD(high).Float64())
}

func ofList(e Entry, f runfile.Finding) runfile.ListFinding {
	return runfile.ListFinding{Repository: e.Name, ID: f.ID, File: f.File, Line: f.Line, Severity: f.Severity, Category: f.Category,
		Title: f.Title}
}

// ReadSummary reads the summary of the list in a directory, which may be a stranger's.
func ReadSummary(dir string) (s runfile.List, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, err
	}
	defer root.Close()
	data, err := bounded.ReadFileIn(root, runfile.SummaryName, maxSummary)
	if err == nil {
		err = bounded.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", runfile.SummaryName, err)
	}
	return s, nil
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
		switch of.Status {
		case trace.StatusFailed:
			s.Failed++
		case trace.StatusCompleted:
			completed++
			s.Done++
		default:
			s.Done++
		}
		if !finished(r) {
			out.Left++
			if r.Run.StopReason == trace.StopBudget || errors.Is(l.failed[i], errBroke) {
				out.Broke++
			}
		}
		s.Lines += r.Coverage.LinesTotal
		s.Judged += r.Coverage.LinesJudged
		cost, most = money.Plus(cost, of.CostUSD), money.Plus(most, of.AtMostUSD)
		for severity, n := range of.Severities {
			s.Severities[severity] += n
		}
		for _, f := range r.Findings {
			s.First = append(s.First, ofList(l.m.Options.Entries[i], f))
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

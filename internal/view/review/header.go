package review

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// describe reads report.json.
func (r *Run) describe(h *doc.Header) error {
	var asked struct {
		Path, Root, Worker, Strategy string
	}
	r.Asked(&asked)
	h.Model(asked.Root)
	h.Model(asked.Worker)
	h.Fact("codebase", asked.Path)
	h.Fact("strategy", asked.Strategy)
	var report struct {
		Run struct {
			Status     trace.Status
			StopReason string   `json:"stop_reason"`
			DurationS  *float64 `json:"duration_s"`
		}
		Repo struct {
			Commit       string
			Files, Lines *int
		}
		Coverage struct{ Fraction *float64 }
		Usage    struct {
			Total *float64 `json:"total_cost_usd"`
		}
		Turns, Dispatches *int
		Errors            *runfile.ErrorTally
		Findings          []struct{ Severity string }
		Ungrounded        []struct{}
	}
	ended, err := r.Outcome(h, runfile.ReportName, &report)
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS = doc.StatusOf(report.Run.Status), report.Run.DurationS
	h.CostUSD, h.Score = report.Usage.Total, report.Coverage.Fraction
	if h.Status == doc.Partial {
		h.Hint = r.Resume()
	}
	count := map[string]int{}
	for _, f := range report.Findings {
		count[f.Severity]++
	}
	var words []string
	for _, s := range taxonomy.Severities() {
		if n := count[s]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, s))
		}
	}
	h.Headline = doc.Plural(len(report.Findings), "finding")
	if len(words) > 0 {
		h.Headline += ": " + strings.Join(words, ", ")
	}
	h.Fact("ended by", report.Run.StopReason)
	h.Fact("commit", report.Repo.Commit)
	h.Number("files", report.Repo.Files)
	h.Number("lines", report.Repo.Lines)
	if c := report.Coverage.Fraction; c != nil {
		h.Fact("coverage", fmt.Sprintf("%.1f%%", 100**c))
	}
	h.Number("turns", report.Turns)
	h.Number("dispatches", report.Dispatches)
	if e := report.Errors; e != nil {
		h.Fact("errors", fmt.Sprintf("%d in cells (%d repeated), %d in dispatches", e.Cell, e.Repeated, e.Dispatch))
	}
	if report.Ungrounded != nil {
		h.Fact("ungrounded", fmt.Sprint(len(report.Ungrounded)))
	}
	return nil
}

// soFar says of a review without a report what its trace tells: how far it has come, what it cost.
func (r *Run) soFar(h *doc.Header) {
	if r.Has(runfile.ReportName) {
		return
	}
	s, err := r.trace().Refresh()
	if err != nil || s.Empty() {
		return
	}
	turns, dispatches, cost := s.SoFar()
	if cost != nil {
		h.CostUSD = cost
	}
	h.Headline = fmt.Sprintf("%s, %d dispatches so far", doc.Plural(turns, "turn"), dispatches)
	h.Fact("turns", fmt.Sprint(turns))
	h.Fact("dispatches", fmt.Sprint(dispatches))
}

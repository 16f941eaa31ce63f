package review

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/report"
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
	var rep struct {
		Run struct {
			Status     trace.Status
			StopReason trace.StopReason `json:"stop_reason"`
			Shortfalls []trace.Shortfall
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
	ended, err := r.Outcome(h, runfile.ReportName, &rep)
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS = doc.StatusOf(rep.Run.Status), rep.Run.DurationS
	h.CostUSD, h.Score = rep.Usage.Total, rep.Coverage.Fraction
	if h.Status != doc.Broken {
		h.Ended = doc.Clip(report.StatusSentence(runfile.ReportRun{Status: rep.Run.Status, StopReason: rep.Run.StopReason}), 500)
	}
	h.Shortfalls = report.Shortfalls(rep.Run.Shortfalls)
	if h.Status == doc.Partial {
		h.Hint = r.Resume()
	}
	count := map[string]int{}
	for _, f := range rep.Findings {
		count[f.Severity]++
	}
	var words []string
	for _, s := range taxonomy.Severities() {
		if n := count[s]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, s))
		}
	}
	h.Headline = doc.Plural(len(rep.Findings), "finding")
	if len(words) > 0 {
		h.Headline += ": " + strings.Join(words, ", ")
	}
	h.Fact("ended by", string(rep.Run.StopReason))
	h.Fact("commit", rep.Repo.Commit)
	h.Number("files", rep.Repo.Files)
	h.Number("lines", rep.Repo.Lines)
	if c := rep.Coverage.Fraction; c != nil {
		h.Fact("coverage", fmt.Sprintf("%.1f%%", 100**c))
	}
	h.Number("turns", rep.Turns)
	h.Number("dispatches", rep.Dispatches)
	if e := rep.Errors; e != nil {
		h.Fact("errors", fmt.Sprintf("%d in cells (%d repeated), %d in dispatches", e.Cell, e.Repeated, e.Dispatch))
	}
	if rep.Ungrounded != nil {
		h.Fact("ungrounded", fmt.Sprint(len(rep.Ungrounded)))
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
	turns, dispatches, failed, cost := s.SoFar()
	if cost != nil {
		h.CostUSD = cost
	}
	h.Headline = fmt.Sprintf("%s, %d dispatches so far", doc.Plural(turns, "turn"), dispatches)
	if failed > 0 {
		h.Headline += fmt.Sprintf(", %d of them failed", failed)
	}
	h.Fact("turns", fmt.Sprint(turns))
	h.Fact("dispatches", fmt.Sprint(dispatches))
}

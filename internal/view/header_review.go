package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// describeReview reads report.json, or what the trace says so far.
func (r *Run) describeReview(h *Header) error {
	var asked struct {
		Path, Root, Worker, Strategy string
		Budget                       *float64 `json:"budget_usd"`
	}
	options(r.manifest.Options, &asked)
	h.model(asked.Root)
	h.model(asked.Worker)
	h.fact("codebase", asked.Path)
	h.fact("strategy", asked.Strategy)
	var report struct {
		Run struct {
			Status     string
			StopReason string    `json:"stop_reason"`
			StartedAt  time.Time `json:"started_at"`
			DurationS  *float64  `json:"duration_s"`
		}
		Repo struct {
			Commit       string
			Files, Lines int
		}
		Coverage struct{ Fraction *float64 }
		Usage    struct {
			Total *float64 `json:"total_cost_usd"`
		}
		Turns, Dispatches int
		Errors            struct{ Cell, Repeated, Dispatch int }
		Findings          []struct{ Severity string }
		Ungrounded        []struct{}
	}
	ended, err := r.outcome(h, reportName, &report)
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS, h.CostUSD, h.Score = status(report.Run.Status), report.Run.DurationS, report.Usage.Total, report.Coverage.Fraction
	if h.Status == Partial {
		h.Hint = "deeprepo resume " + r.path + " goes on with it"
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
	h.Headline = plural(len(report.Findings), "finding")
	if len(words) > 0 {
		h.Headline += ": " + strings.Join(words, ", ")
	}
	h.fact("ended by", report.Run.StopReason)
	h.fact("commit", report.Repo.Commit)
	h.fact("files", fmt.Sprint(report.Repo.Files))
	h.fact("lines", fmt.Sprint(report.Repo.Lines))
	if c := report.Coverage.Fraction; c != nil {
		h.fact("coverage", fmt.Sprintf("%.1f%%", 100**c))
	}
	h.fact("turns", fmt.Sprint(report.Turns))
	h.fact("dispatches", fmt.Sprint(report.Dispatches))
	h.fact("errors", fmt.Sprintf("%d in cells (%d repeated), %d in dispatches", report.Errors.Cell, report.Errors.Repeated, report.Errors.Dispatch))
	h.fact("ungrounded", fmt.Sprint(len(report.Ungrounded)))
	return nil
}

// soFar says of a review without a report what its trace tells: how far it has come, what it cost.
func (r *Run) soFar(h *Header) {
	s, err := r.trace(traceName, [2]int64{}).refresh()
	if err != nil || s.len() == 0 {
		return
	}
	turns, dispatches, pico := 0, 0, int64(0)
	for i, kind := range s.kind {
		switch {
		case kind == 'r' && s.node[i] == 0:
			turns = max(turns, int(s.turn[i]))
		case kind == 'd':
			dispatches++
		}
		if s.cost[i] == unpriced || pico == unpriced {
			pico = unpriced
		} else {
			pico += s.cost[i]
		}
	}
	if pico != unpriced {
		h.CostUSD = dollars(&pico)
	}
	h.Headline = fmt.Sprintf("%s, %d dispatches so far", plural(turns, "turn"), dispatches)
	h.fact("turns", fmt.Sprint(turns))
	h.fact("dispatches", fmt.Sprint(dispatches))
}

// plural is a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

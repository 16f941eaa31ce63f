package view

import (
	"fmt"
	"strings"
	"time"
)

// severities, worst first.
var severities = []string{"critical", "high", "medium", "low", "info"}

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
	for _, s := range severities {
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

// plural is a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

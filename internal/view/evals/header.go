package evals

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// describe reads an eval's summary.json, or how many rollouts there are so far.
func (r *Run) describe(h *doc.Header) error {
	asked := r.asked()
	h.Model(asked.Model)
	h.Model(asked.Worker)
	h.Fact("environment", asked.Environment)
	h.Fact("split", asked.Split)
	h.Fact("strategy", asked.Strategy)
	var sum struct {
		Status                trace.Status
		Planned, Done, Errors int
		Reward                struct {
			Mean *float64
			CI95 *[2]float64
		}
		Usage struct {
			Total *float64 `json:"total_cost_usd"`
		}
		Seconds *float64
	}
	ended, err := r.Outcome(h, runfile.SummaryName, &sum)
	if err != nil {
		return err
	}
	if !ended {
		done := 0
		if l, err := r.Lines(runfile.ResultsName); err == nil {
			done = l.Count()
		}
		h.Headline = fmt.Sprintf("%d of %d rollouts", done, planned(asked.Examples, asked.Rollouts))
		return nil
	}
	h.Status, h.DurationS, h.CostUSD = doc.StatusOf(sum.Status), sum.Seconds, sum.Usage.Total
	h.Headline = doc.Plural(sum.Done, "rollout")
	if sum.Reward.Mean != nil {
		h.Score = sum.Reward.Mean
		h.Headline = fmt.Sprintf("reward %.3f over %s", *sum.Reward.Mean, h.Headline)
		if ci := sum.Reward.CI95; ci != nil {
			h.Fact("reward", fmt.Sprintf("%.3f [%.3f, %.3f]", *sum.Reward.Mean, ci[0], ci[1]))
		}
	}
	if sum.Planned > 0 {
		h.Fact("rollouts", fmt.Sprintf("%d of %d", sum.Done, sum.Planned))
	}
	if sum.Errors > 0 {
		h.Fact("ended in an error", doc.Plural(sum.Errors, "rollout"))
	}
	return nil
}

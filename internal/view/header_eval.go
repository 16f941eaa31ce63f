package view

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// describeEval reads an eval's summary.json, or how many rollouts there are so far.
func (r *Run) describeEval(h *Header) error {
	var asked struct {
		Environment, Model, Worker, Split, Strategy string
		Examples, Rollouts                          int
	}
	options(r.manifest.Options, &asked)
	h.model(asked.Model)
	h.model(asked.Worker)
	h.fact("environment", asked.Environment)
	h.fact("split", asked.Split)
	h.fact("strategy", asked.Strategy)
	var sum struct {
		Status                string
		Planned, Done, Errors int
		Reward                *struct {
			Mean *float64
			CI   *[2]float64 `json:"ci95"`
		}
		Usage struct {
			Total *float64 `json:"total_cost_usd"`
		}
		Seconds *float64
	}
	ended, err := r.outcome(h, summaryName, &sum)
	if err != nil {
		return err
	}
	if !ended {
		done := 0
		if l, err := r.lines(resultsName); err == nil {
			done = l.count()
		}
		h.Headline = fmt.Sprintf("%d of %d rollouts", done, asked.Examples*asked.Rollouts)
		return nil
	}
	h.Status, h.DurationS, h.CostUSD = status(sum.Status), sum.Seconds, sum.Usage.Total
	h.Headline = plural(sum.Done, "rollout")
	if sum.Reward != nil && sum.Reward.Mean != nil {
		h.Score = sum.Reward.Mean
		h.Headline = fmt.Sprintf("reward %.3f over %s", *sum.Reward.Mean, h.Headline)
		if ci := sum.Reward.CI; ci != nil {
			h.fact("reward", fmt.Sprintf("%.3f [%.3f, %.3f]", *sum.Reward.Mean, ci[0], ci[1]))
		}
	}
	h.fact("rollouts", fmt.Sprintf("%d of %d", sum.Done, sum.Planned))
	if sum.Errors > 0 {
		h.fact("ended in an error", plural(sum.Errors, "rollout"))
	}
	return nil
}

// describeBench reads bench.json.
func (r *Run) describeBench(h *Header) error {
	var bench struct {
		Rows []struct {
			Config, Root, Worker string
			Quality              *float64
			Done                 int `json:"runs_done"`
			Total                int `json:"runs_total"`
		}
		Codebases []struct{}
		Spent     *float64 `json:"spent_usd"`
	}
	ended, err := r.outcome(h, benchName, &bench)
	if err != nil || !ended {
		return err
	}
	h.Status, h.CostUSD = Completed, bench.Spent
	best := ""
	for _, row := range bench.Rows {
		h.model(row.Root)
		h.model(row.Worker)
		if row.Done < row.Total {
			h.Status, h.Hint = Partial, "deeprepo resume "+r.path+" goes on with it"
		}
		if q := row.Quality; q != nil && (h.Score == nil || *q > *h.Score) {
			h.Score, best = q, row.Config
		}
	}
	h.Headline = plural(len(bench.Rows), "configuration")
	if h.Score != nil {
		h.Headline += fmt.Sprintf(", best %s %.2f", termtext.CutWith(best, 60, "…"), *h.Score)
	}
	h.fact("configurations", fmt.Sprint(len(bench.Rows)))
	h.fact("codebases", fmt.Sprint(len(bench.Codebases)))
	return nil
}

package view

import (
	"errors"
	"fmt"
	"io/fs"
)

// describeTraining reads a training's summary.json, or how far its metrics have come.
func (r *Run) describeTraining(h *Header) error {
	zero := 0.0
	h.CostUSD = &zero // no model is asked for money
	method := r.manifest.Method
	var plan struct{ Method, Environment string }
	if method == "" {
		if err := r.readJSON(planName, &plan); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		method = plan.Method
	}
	var asked struct {
		Environment string
		Steps       int
		Size        string
	}
	options(r.manifest.Options, &asked)
	h.fact("method", method)
	h.fact("size", asked.Size)
	var sum struct {
		Status, End, Environment string
		Steps                    int
		Best                     *int `json:"best_step"`
		Parameters               int64
		Before, After            *struct{ Reward *struct{ Mean *float64 } }
		Seconds                  *float64
	}
	ended, err := r.outcome(h, summaryName, &sum)
	if err != nil {
		return err
	}
	if !ended {
		h.Hint = "it did not come to its end: the command that began it goes on with it"
		h.fact("environment", asked.Environment+plan.Environment)
		if l, err := r.lines(metricsName); err == nil {
			h.Headline = fmt.Sprintf("%s, %s", method, plural(l.count(), "step"))
			if asked.Steps > 0 {
				h.Headline = fmt.Sprintf("%s, %d of %d steps", method, l.count(), asked.Steps)
			}
		}
		// A part of a larger training leaves no summary, but what it was for.
		if left, ok := map[string]string{"sft": "base", "pairs": "pairs.jsonl", "dpo": "after"}[method]; ok {
			if _, err := r.root.Stat(left); err == nil {
				h.Status, h.Hint = Completed, ""
			}
		}
		return nil
	}
	h.Status, h.DurationS = status(sum.Status), sum.Seconds
	h.fact("environment", sum.Environment)
	h.fact("ended by", sum.End)
	h.fact("steps", fmt.Sprint(sum.Steps))
	if sum.Best != nil {
		h.fact("best step", fmt.Sprint(*sum.Best))
	}
	h.fact("parameters", fmt.Sprint(sum.Parameters))
	h.Headline = fmt.Sprintf("%s, %s", method, plural(sum.Steps, "step"))
	if sum.Before != nil && sum.After != nil && sum.Before.Reward != nil && sum.After.Reward != nil {
		if b, a := sum.Before.Reward.Mean, sum.After.Reward.Mean; b != nil && a != nil {
			h.Score = a
			h.Headline += fmt.Sprintf(", reward %.3f → %.3f", *b, *a)
		}
	}
	return nil
}

package training

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// describe reads a training's summary.json, or how far its metrics have come.
func (r Run) describe(h *doc.Header) error {
	h.CostUSD = new(float64) // no model is asked for money
	method := r.Manifest.Method
	var plan struct{ Method, Environment string }
	if method == "" {
		if err := r.ReadJSON(runfile.PlanName, &plan); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		method = plan.Method
	}
	var asked struct {
		Environment string
		Steps       int
		Size        string
	}
	r.Asked(&asked)
	h.Fact("method", method)
	h.Fact("size", asked.Size)
	var sum struct {
		Status           trace.Status
		End, Environment string
		Steps            *int
		BestStep         *int `json:"best_step"`
		Parameters       *int
		Before, After    struct{ Reward struct{ Mean *float64 } }
		Seconds          *float64
	}
	ended, err := r.Outcome(h, runfile.SummaryName, &sum)
	if err != nil {
		return err
	}
	if !ended {
		h.Hint = "it did not come to its end; run the command that began it again to continue"
		h.Fact("environment", asked.Environment+plan.Environment)
		if l, err := r.Lines(runfile.MetricsName); err == nil {
			h.Headline = fmt.Sprintf("%s, %s", method, doc.Plural(l.Count(), "step"))
			if asked.Steps > 0 {
				h.Headline = fmt.Sprintf("%s, %d of %d steps", method, l.Count(), asked.Steps)
			}
		}
		// A part of a larger training leaves no summary, but what it was for.
		if left, ok := map[string]string{"sft": "base", "pairs": "pairs.jsonl", "dpo": "after"}[method]; ok {
			if r.Exists(left) {
				h.Status, h.Hint = doc.Completed, ""
			}
		}
		return nil
	}
	h.Status, h.DurationS = doc.StatusOf(sum.Status), sum.Seconds
	h.Fact("environment", sum.Environment)
	h.Fact("ended by", sum.End)
	h.Headline = method
	if sum.Steps != nil {
		h.Headline += ", " + doc.Plural(*sum.Steps, "step")
	}
	h.Number("steps", sum.Steps)
	h.Number("best step", sum.BestStep)
	h.Number("parameters", sum.Parameters)
	if b, a := sum.Before.Reward.Mean, sum.After.Reward.Mean; b != nil && a != nil {
		h.Score = a
		h.Headline += fmt.Sprintf(", reward %.3f → %.3f", *b, *a)
	}
	return nil
}

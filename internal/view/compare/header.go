package compare

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Describe reads compare.json.
func (r Run) Describe(h *doc.Header) error {
	var all struct {
		Verdicts    string
		Conditions  []struct{ Name string }
		Comparisons []struct {
			Base, Other string
			DeltaPP     *float64 `json:"delta_pp"`
		}
	}
	ended, err := r.Outcome(h, name, &all)
	if err != nil || !ended {
		return err
	}
	h.Status, h.StartedAt = doc.Completed, h.UpdatedAt
	h.CostUSD = new(float64) // no model is asked
	h.Headline = doc.Plural(len(all.Conditions), "condition")
	if len(all.Comparisons) > 0 && all.Comparisons[0].DeltaPP != nil {
		c := all.Comparisons[0]
		h.Headline += fmt.Sprintf(", %s against %s: %+.1f points", doc.Clip(c.Other, 40), doc.Clip(c.Base, 40), *c.DeltaPP)
	}
	for _, c := range all.Conditions {
		h.Model(c.Name)
	}
	h.Fact("verdicts", all.Verdicts)
	return nil
}

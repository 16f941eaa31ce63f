package pairs

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Describe reads the summary.json of a set of pairs. The pairs of a training have none: they are there or not.
func (r Run) Describe(h *doc.Header) error {
	if r.Manifest.Command == "train" {
		train, err := r.Lines(tracePairsName)
		heldout, err2 := r.Lines(traceHeldoutName)
		if err != nil || err2 != nil {
			h.Status = doc.Partial
			return nil
		}
		h.Status, h.Headline = doc.Completed, fmt.Sprintf("%s of rollouts, %d held out", doc.Plural(train.Count()+heldout.Count(), "pair"),
			heldout.Count())
		h.CostUSD = new(float64) // the policy runs here
		return nil
	}
	var sum struct {
		Dataset        string
		Train, Heldout int
		TrainTasks     int `json:"train_tasks"`
		HeldoutTasks   int `json:"heldout_tasks"`
		Seconds        *float64
	}
	ended, err := r.Outcome(h, summaryName, &sum)
	if err == nil && !ended { // resume knows no builds
		h.Hint = "it did not come to its end: the command that began it, with --out " + r.Path() + ", goes on with it"
	}
	if err != nil || !ended {
		return err
	}
	h.Status, h.DurationS = doc.Completed, sum.Seconds
	h.Headline = fmt.Sprintf("%s, %d held out", doc.Plural(sum.Train+sum.Heldout, "pair"), sum.Heldout)
	h.Fact("dataset", sum.Dataset)
	h.Fact("training", fmt.Sprintf("%s of %s", doc.Plural(sum.Train, "pair"), doc.Plural(sum.TrainTasks, "task")))
	h.Fact("held out", fmt.Sprintf("%s of %s", doc.Plural(sum.Heldout, "pair"), doc.Plural(sum.HeldoutTasks, "task")))
	return nil
}
